import { isKeyOf } from '../commands/registry';
import type { Reader } from './reader.svelte';

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-position]') : null;
}

/** The key of the menu: not every system makes an event of its own of it. Whether it was one. */
export function menuByKey(event: KeyboardEvent, reader: Reader): boolean {
  const row = rowOf(event.target);
  if (!row || !isKeyOf('messageMenu', event, 'log')) return false;
  reader.openMenu(Number(row.dataset.position));
  return true;
}

/** The menu under the pointer. A selection, a field, a picture and a link keep what the system has for them. */
export function menuByPointer(event: MouseEvent, reader: Reader): void {
  const row = rowOf(event.target);
  const own = (event.target as Element).closest('input, textarea, img, [data-url]');
  if (!row || own || !getSelection()?.isCollapsed) return;
  event.preventDefault();
  // A key has no place of its own.
  const at = event.button === 2 ? { x: event.clientX, y: event.clientY } : undefined;
  reader.openMenu(Number(row.dataset.position), at);
}
