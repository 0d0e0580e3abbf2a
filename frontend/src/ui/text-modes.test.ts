// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { modeOfKey } from './TextModes.svelte';

test('Alt with C or R changes how it is looked for; with Ctrl, too, it writes a letter', () => {
  const mode = { matchCase: false, regex: true };
  const pressed = (code: string, more: KeyboardEventInit) =>
    modeOfKey(new KeyboardEvent('keydown', { code, ...more }), mode);
  expect(pressed('KeyC', { altKey: true })).toEqual({ matchCase: true });
  expect(pressed('KeyR', { altKey: true })).toEqual({ regex: false });
  expect(pressed('KeyC', {})).toBe(null);
  expect(pressed('KeyX', { altKey: true })).toBe(null);
  expect(pressed('KeyC', { altKey: true, ctrlKey: true }), 'as AltGr is on Windows').toBe(null);
});
