import type { Session } from '../backend';
import { text } from '../text';
import { visibleLine } from '../visible';
import type { GroupBy } from './arrange';
import { agentName, editsOf, type SessionItem } from './entries';

/** One thing that the second line of a session says. */
export interface Mark {
  kind: 'asking' | 'lost' | 'marks' | 'copy' | 'edits' | 'compactions';
  text: string;
  /** What the pointer is told of it. */
  title: string | undefined;
  /** What is read out, where that is more than what is shown. */
  said: string | undefined;
}

function copyMark({ earlierOf, fromCopy, keptAt }: Session): string {
  if (earlierOf) return text.library.earlierMark;
  if (fromCopy) return text.library.fromCopyMark;
  return keptAt ? text.library.keptMark : '';
}

/** Where it is from and what it is. Below the session that started it, that one says the rest. */
function origin({ entry, depth }: SessionItem, group: GroupBy): string {
  const { session, folder } = entry;
  const child = depth > 0;
  return [
    child ? text.library.subagent : session.foreign && group !== 'agent' ? agentName(session.agent) : '',
    child || group === 'project' ? '' : folder,
    session.children ? text.library.subagents(session.children) : '',
    session.parentSessionId ? text.library.fork : '',
    session.source === 'cron' ? text.library.scheduled : '',
    session.archivedAt ? text.library.archivedMark : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The second line of a session: whether it asks or can't be read, where it came from, edits, compactions; titles only if `titled`. */
export function marksOf(item: SessionItem, group: GroupBy, asks: boolean, titled: boolean): Mark[] {
  const { session } = item.entry;
  const words = text.library;
  const marks: Mark[] = [];
  const add = (kind: Mark['kind'], shown: string, title: () => string, said?: string) => {
    marks.push({ kind, text: shown, title: titled ? title() || undefined : undefined, said });
  };
  if (asks) add('asking', words.asking, () => '');
  if (session.problem) add('lost', words.unreadable, () => visibleLine(session.problem ?? '', 400));
  else if (session.gone) add('lost', words.gone, () => words.goneWhy);
  const from = origin(item, group);
  if (from) add('marks', from, () => visibleLine(session.cwd ?? '', 1000));
  const copy = copyMark(session);
  // Beside the folder there is room for one word.
  const kept = copy === words.keptMark ? words.keptSaid : undefined;
  if (copy) add('copy', copy, () => kept ?? copy, kept);
  if (session.summary) {
    const edits = editsOf(session.summary);
    const said = words.editsLabel(...edits);
    add('edits', words.edits(...edits), () => said, said);
  }
  if (session.compactions) add('compactions', words.compactions(session.compactions), () => '');
  return marks;
}
