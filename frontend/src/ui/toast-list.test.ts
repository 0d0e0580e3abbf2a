// @vitest-environment jsdom
import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test, vi } from 'vitest';
import { Toasts } from '../lib/toasts.svelte';
import ToastList from './ToastList.svelte';

test('a dialog that reaches down to them can be scrolled until nothing lies under them', async () => {
  const toasts = new Toasts();
  const place = {};
  const dialog = document.body.appendChild(document.createElement('dialog'));
  const above = (bottom: number) =>
    vi.spyOn(dialog, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 0, bottom));
  render(ToastList, { target: dialog, props: { toasts, place } });
  toasts.cover(place);
  const room = async () => {
    toasts.clear();
    await tick();
    toasts.show('Saved');
    await tick();
    return dialog.querySelector('[style*="height"]') !== null;
  };
  above(0);
  expect(await room()).toBe(false);
  above(10);
  expect(await room()).toBe(true);
  toasts.clear();
  await tick();
  expect(dialog.querySelector('[style*="height"]')).toBeNull();
});

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
