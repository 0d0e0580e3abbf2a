export type Move = 'next' | 'previous' | 'first' | 'last' | 'view';

const ANYWHERE: Record<string, Move> = { j: 'next', k: 'previous', m: 'view' };
const INSIDE: Record<string, Move> = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' };

/** What a key asks of the log. Arrows belong to whatever has the focus, unless that is the log or nothing. */
export function moveOf(event: KeyboardEvent, log: Element | undefined): Move | null {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  // Something lies over the window.
  if (log?.closest('[inert]')) return null;
  if (target.closest('input, textarea, select, dialog, [role="menu"]')) return null;
  const inside = target === document.body || target.id === 'conversation' || log?.contains(target);
  return ANYWHERE[event.key] ?? (inside ? INSIDE[event.key] : undefined) ?? null;
}
