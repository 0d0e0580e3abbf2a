// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { App } from '../app.svelte';
import { fakeBackend } from '../../test/fakes';
import { commands, isEnabled } from './commands';
import { isChord, matches, mayBeChord, parsed, shown } from './keys';
import { Once } from './once';
import { ids, isCommand, keyOf, labelOf, menus, pressesOf } from './registry';

const press = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...more });

describe('the registry of commands', () => {
  test('every command does something and has a name and a key', () => {
    expect(Object.keys(commands).sort()).toEqual([...ids].sort());
    for (const id of ids) {
      expect(typeof commands[id].run, id).toBe('function');
      expect(labelOf(id).trim(), id).not.toBe('');
      expect(pressesOf(id).length, id).toBeGreaterThan(0);
      expect(keyOf(id), id).not.toBe('');
    }
  });

  test('no two have the same name, and no two the same key in the same place', () => {
    const taken = new Map<string, string>();
    for (const id of ids) {
      for (const { scope, binding } of pressesOf(id)) {
        const key = JSON.stringify([scope, binding[0].toSorted(), String(binding[1]).toLowerCase()]);
        expect(taken.get(key), `${key} of ${id}`).toBeUndefined();
        taken.set(key, id);
      }
    }
    expect(new Set(ids.map(labelOf)).size).toBe(ids.length);
  });

  test('every command stands in a menu, once, and the menus name nothing else', () => {
    const items = menus.flatMap(({ items }) => items).filter((item) => item !== '-');
    expect(items.filter((item) => !isCommand(item))).toEqual([]);
    expect(items.toSorted()).toEqual([...ids].sort());
  });

  test('a key that works while one types is never a letter alone', () => {
    for (const id of ['new', 'next', 'keys', 'copyLink'] as const) {
      expect(isChord(pressesOf(id)[0] ?? parsed('F1')), id).toBe(false);
    }
    for (const id of ['palette', 'rename', 'nextPanel', 'nextSession'] as const) {
      expect(pressesOf(id).every(isChord), id).toBe(true);
    }
  });

  test('while one types, each key that is more than a letter is looked up, and no letter is', () => {
    for (const { binding } of ids.flatMap(pressesOf).filter(isChord)) {
      const [mods, key] = binding;
      const held = Object.fromEntries(
        mods.map((mod) => [{ Control: 'ctrlKey', Meta: 'metaKey' }[mod] ?? 'altKey', true]),
      );
      expect(mayBeChord(press(String(key), mods.some((mod) => mod !== 'Shift') ? held : {})), String(binding)).toBe(
        true,
      );
    }
    for (const key of ['a', 'A', 'F', '/', ' ', 'Enter']) expect(mayBeChord(press(key)), key).toBe(false);
  });

  test('with nothing open, what needs a conversation is not offered', () => {
    const app = new App(fakeBackend());
    for (const id of ['compact', 'next', 'goTo', 'copyMessage', 'trash', 'undo', 'accept'] as const) {
      expect(isEnabled(app, id), id).toBe(false);
    }
    for (const id of ['new', 'palette', 'themeDark', 'keys', 'zoomIn'] as const) {
      expect(isEnabled(app, id), id).toBe(true);
    }
  });
});

describe('keys', () => {
  test('signs are found wherever the keyboard has them', () => {
    expect(matches(parsed('?'), press('?', { shiftKey: true }))).toBe(true);
    expect(matches(parsed('/'), press('/', { shiftKey: true }))).toBe(true);
    expect(matches(parsed('$mod++'), press('+', { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(matches(parsed('/'), press('/', { ctrlKey: true }))).toBe(false);
  });

  test('a letter with Shift is another key', () => {
    expect(matches(parsed('m'), press('M', { shiftKey: true }))).toBe(false);
    expect(matches(parsed('Shift+m'), press('M', { shiftKey: true }))).toBe(true);
    expect(matches(parsed('m'), press('m', { altKey: true }))).toBe(false);
  });

  test('they are shown as they stand on the caps', () => {
    expect(shown(parsed('$mod+k'))).toEqual(['Ctrl', 'K']);
    expect(shown(parsed('list:Delete'))).toEqual(['Del']);
    expect(shown(parsed('Alt+ArrowUp'))).toEqual(['Alt', '↑']);
    expect(shown(parsed('j'))).toEqual(['j']);
  });
});

describe('one press', () => {
  test('is heard once, from the page and from the menu in either order', () => {
    let now = 0;
    const once = new Once(() => now);
    expect(once.from('page', 'new')).toBe(true);
    expect(once.from('menu', 'new')).toBe(false);
    expect(once.from('menu', 'new')).toBe(true);
    expect(once.from('page', 'new')).toBe(false);
    now = 1000;
    expect(once.from('page', 'new')).toBe(true);
    now = 2000;
    expect(once.from('menu', 'new')).toBe(true);
  });

  test('a key that is held goes on, and other commands are others', () => {
    const once = new Once(() => 0);
    expect([once.from('menu', 'zoomIn'), once.from('menu', 'zoomIn')]).toEqual([true, true]);
    expect([once.from('page', 'new'), once.from('menu', 'keys')]).toEqual([true, true]);
  });
});
