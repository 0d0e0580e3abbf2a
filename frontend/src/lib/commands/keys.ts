import { matchKeyBindingPress, parseKeybinding, type KeyBindingPress } from 'tinykeys';

/** Where a key works that does not work everywhere: in the list, in the trash, in the log, in the field, in a review. */
export type Scope = 'list' | 'trash' | 'log' | 'field' | 'review';

export interface Press {
  scope: Scope | undefined;
  binding: KeyBindingPress;
}

export const IS_MAC = /Mac|iPod|iPhone|iPad/.test(navigator.platform);

const SCOPED = /^(list|trash|log|field|review):(.+)$/;
const FUNCTION_KEY = /^F\d+$/;
// Which keys make such a sign depends on the keyboard: Shift may be one of them.
const SIGN = /^[^\p{L}\d\s]$/u;

/** A key as the data has it: in the syntax of tinykeys, after the place where it works. */
export function parsed(key: string): Press {
  const [, scope, scoped] = SCOPED.exec(key) ?? [];
  const [binding = [[], '']] = parseKeybinding(scoped ?? key);
  return { scope: scope as Scope | undefined, binding: binding as KeyBindingPress };
}

export function matches({ binding }: Press, event: KeyboardEvent): boolean {
  if (matchKeyBindingPress(event, binding)) return true;
  const [mods, key] = binding;
  return typeof key === 'string' && SIGN.test(key) && matchKeyBindingPress(event, [[...mods, 'Shift'], key]);
}

/** Whether it is more than a letter: somebody who types does not mean it. */
export function isChord({ binding: [mods, key] }: Press): boolean {
  return mods.some((mod) => mod !== 'Shift') || (typeof key === 'string' && FUNCTION_KEY.test(key));
}

/** Whether a key that is pressed may be one: who writes is not to wait while each command is asked for each letter. */
export function mayBeChord({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || FUNCTION_KEY.test(key);
}

/** What a key is meant for. A dialog that has just closed has the focus until the next frame, and nothing to do with it. */
export function targetOf(event: KeyboardEvent): Element {
  const target = event.target instanceof Element ? event.target : document.body;
  return target.closest('dialog:not([open])') ? document.body : target;
}

const NAMES: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Delete: 'Del',
  ContextMenu: 'Menu',
  '-': '−',
};
const ELSEWHERE: Record<string, string> = { Control: 'Ctrl', Meta: 'Meta', Alt: 'Alt', Shift: 'Shift' };
const ON_MAC: Record<string, string> = {
  ...{ Control: '⌃', Meta: '⌘', Alt: '⌥', Shift: '⇧' },
  ...{ Enter: '↩', Backspace: '⌫', Delete: '⌦', Escape: '⎋' },
};

// Letters are written there with the Option key alone.
const CAPS_ON_MAC: Record<string, string> = { Ctrl: '⌘', Alt: '⌥⌘', Shift: '⇧', Enter: '↩', Esc: '⎋' };

/** A key that no command has, in pieces: written as elsewhere, shown as this system writes it. */
export function capsOf(key: string): string[] {
  return key.split(' ').map((cap) => (IS_MAC && CAPS_ON_MAC[cap]) || cap);
}

/** A key in pieces, each for a cap of its own, as this system writes them. */
export function shown({ binding: [mods, key] }: Press): string[] {
  const name = String(key).replace(/^(Digit|Key)(?=.$)/, '');
  const last = (IS_MAC ? ON_MAC[name] : undefined) ?? NAMES[name] ?? name;
  const small = mods.length === 0 && !IS_MAC;
  return [
    ...mods.map((mod) => (IS_MAC ? ON_MAC : ELSEWHERE)[mod] ?? mod),
    last.length === 1 && !small ? last.toUpperCase() : last,
  ];
}
