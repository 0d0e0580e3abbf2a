// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { modeOfKey } from './TextModes.svelte';

test('Alt with C or R changes how it is looked for; with Ctrl, too, it writes a letter', () => {
  const mode = { matchCase: false, regex: true };
  const pressed = (code: string, more: KeyboardEventInit, isMac = false) =>
    modeOfKey(new KeyboardEvent('keydown', { code, ...more }), mode, isMac);
  expect(pressed('KeyC', { altKey: true })).toEqual({ matchCase: true });
  expect(pressed('KeyR', { altKey: true })).toEqual({ regex: false });
  expect(pressed('KeyC', {})).toBe(null);
  expect(pressed('KeyX', { altKey: true })).toBe(null);
  expect(pressed('KeyC', { altKey: true, ctrlKey: true }), 'as AltGr is on Windows').toBe(null);
  expect(pressed('KeyC', { altKey: true, metaKey: true }), 'a key of the system').toBe(null);
  expect(pressed('KeyC', { altKey: true }, true), 'ç on a Mac').toBe(null);
  expect(pressed('KeyC', { altKey: true, metaKey: true }, true)).toEqual({ matchCase: true });
  expect(pressed('KeyR', { altKey: true, metaKey: true }, true)).toEqual({ regex: false });
});
