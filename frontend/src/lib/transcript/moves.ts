import { isKeyOf } from '../commands/registry';

export type Move = 'next' | 'previous' | 'first' | 'last';

const INSIDE = { next: 'next', previous: 'previous', first: 'start', last: 'end' } as const;

/** What a key asks of the log that belongs to whatever has the focus, unless that is the log or nothing. */
export function moveOf(event: KeyboardEvent, log: Element | undefined): Move | null {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented) return null;
  // Something lies over the window.
  if (log?.closest('[inert]')) return null;
  if (target.closest('input, textarea, select, dialog, [role="menu"]')) return null;
  if (target !== document.body && target.id !== 'conversation' && !log?.contains(target)) return null;
  const moves = Object.keys(INSIDE) as Move[];
  return moves.find((move) => isKeyOf(INSIDE[move], event, 'log')) ?? null;
}
