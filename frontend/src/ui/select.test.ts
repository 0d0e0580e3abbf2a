// @vitest-environment jsdom
import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import Select from './Select.svelte';

test('a choice that hides or reorders shows that by name, also one that only an address knows', () => {
  const path = '/srv/invoice\u202efdp.exe';
  const options = [{ value: path, label: 'invoice' }];
  const props = { label: 'Project', every: 'Every project', options, onchoose: () => undefined };
  for (const value of [path, `${path}\u200b`]) {
    const { container, unmount } = render(Select, { ...props, value });
    const shown = [...container.querySelectorAll('option')].flatMap((one) => [one.textContent, one.title]).join();
    expect(shown).toContain('invoice⟨RLO⟩fdp.exe');
    expect(shown).not.toMatch(/[\u202e\u200b]/);
    unmount();
  }
});
