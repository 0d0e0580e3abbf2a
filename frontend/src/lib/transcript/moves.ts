import { targetOf } from '../commands/keys';
import { isKeyOf } from '../commands/registry';

export type Move = 'next' | 'previous' | 'first' | 'last';

const INSIDE = { next: 'next', previous: 'previous', first: 'start', last: 'end' } as const;

/** Whether a key is for the log: it belongs to whatever has the focus, unless that is the log or nothing. */
export function isForLog(event: KeyboardEvent, log: Element | undefined): boolean {
  const target = targetOf(event);
  if (event.defaultPrevented) return false;
  // Something lies over the window.
  if (log?.closest('[inert]')) return false;
  if (target.closest('input, textarea, select, dialog, [role="menu"]')) return false;
  return target === document.body || target.id === 'conversation' || (log?.contains(target) ?? false);
}

/** Whether something within the log, in which the focus is, has more above or below than it shows. */
function scrollsItself(target: Element, log: Element | undefined): boolean {
  if (!log?.contains(target)) return false;
  for (let at: Element | null = target; at && at !== log; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY)) return true;
  }
  return false;
}

/** What a key asks of the log. */
export function moveOf(event: KeyboardEvent, log: Element | undefined): Move | null {
  if (!isForLog(event, log) || scrollsItself(targetOf(event), log)) return null;
  const moves = Object.keys(INSIDE) as Move[];
  return moves.find((move) => isKeyOf(INSIDE[move], event, 'log')) ?? null;
}
