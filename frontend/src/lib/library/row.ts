import { exactTime, rowTime } from '../days';
import { hashOf } from '../route.svelte';
import { text } from '../text';
import type { GroupBy } from './arrange';
import type { SessionItem } from './entries';
import { marksOf, type Mark } from './marks';

/** What a row depends on beside its session. */
export interface Around {
  today: number;
  group: GroupBy;
  /** Whether the heading above it names its day. */
  named: boolean;
  trash: boolean;
  /** The session that is open, the one whose row is marked for it, and the one whose name is being edited. */
  open: string | null;
  marked: string | null;
  renaming: string | null;
  selection: { size: number; has(id: string): boolean };
  asking: { has(id: string): boolean };
  /** The pointer is over it: what it tells only then is worked out then. */
  pointed: boolean;
}

/** A session as its row shows it. */
export interface Row {
  id: string;
  title: string;
  href: string;
  /** What its menu is called, and what the pointer is told of it. */
  actions: string;
  hint: string;
  datetime: string;
  time: string;
  exact: string | undefined;
  marks: Mark[];
  /** It is open, or what is open stands folded below it. */
  current: 'page' | 'true' | undefined;
  chosen: boolean;
  /** Its classes. */
  looks: string;
  /** What stands before the name, and what its name stands in. */
  lead: 'choice' | 'disclosure' | null;
  body: 'link' | 'name' | 'trashed';
}

/** All of a row at once: a key of the filter changes every row in view, and each thing that is worked out on its own is one more. */
export function rowOf(item: SessionItem, around: Around): Row {
  const { entry, depth, sameDay = false } = item;
  const { session, title, time } = entry;
  const { id } = session;
  const { trash, selection, pointed } = around;
  const actions = text.library.actions(title);
  const current = around.open === id ? 'page' : around.marked === id ? 'true' : undefined;
  const choosing = selection.size > 0;
  const chosen = choosing && selection.has(id);
  const looks = { current, chosen, choosing, child: depth > 0, gone: session.gone };
  return {
    id,
    title,
    href: hashOf(id),
    actions,
    hint: pointed ? actions : '',
    datetime: session.lastMessageAt,
    time: rowTime(time, around.today, around.named && (depth === 0 || sameDay)),
    exact: pointed ? exactTime(time) : undefined,
    marks: marksOf(item, around.group, around.asking.has(id), pointed),
    current,
    chosen,
    looks: Object.entries(looks)
      .flatMap(([name, is]) => (is ? [name] : []))
      .join(' '),
    lead: choosing ? 'choice' : session.children && !trash ? 'disclosure' : null,
    body: around.renaming === id ? 'name' : trash ? 'trashed' : 'link',
  };
}
