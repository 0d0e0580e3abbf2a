// @vitest-environment jsdom
import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { Toasts } from '../lib/toasts.svelte';
import ToastList from './ToastList.svelte';

test('what is said as a dialog closes is put where it is read out, which was there before', async () => {
  const toasts = new Toasts();
  render(ToastList, { toasts });
  const said = screen.getByRole('status');
  const close = toasts.cover({});
  toasts.show('Saved');
  await tick();
  expect(said.textContent).toBe('');
  close();
  await tick();
  expect(said.textContent).toContain('Saved');
  expect(said.isConnected).toBe(true);
});
