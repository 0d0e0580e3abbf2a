import type { Fact, Fidelity } from '../backend';
import { text } from '../text';
import { later } from '../text/later';

export interface Tab {
  key: string;
  label: string;
}

interface Beside {
  /** When the previous summary was written; null where there is none. */
  since: string | null;
  fidelity: Fidelity | null;
  /** There is little room. */
  narrow: boolean;
}

/** The tabs of a summary: the text in its forms, and what can be told about it. */
export function tabsOf(forms: readonly Tab[], { since, fidelity, narrow }: Beside): Tab[] {
  const { changes, changesShort } = text.review;
  const { tab, tabShort } = later.fidelity;
  const gone = fidelity && lostOf(fidelity);
  return [
    ...forms,
    ...(since === null ? [] : [{ key: 'changes', label: narrow ? changesShort : changes(since) }]),
    { key: 'facts', label: narrow ? tabShort(gone) : tab(gone) },
  ];
}

/** How many facts were lost: the list of them may be shorter. */
export function lostOf({ kept, total }: Fidelity): number {
  return total - kept;
}

/** The same fact of another measurement has the same name, so that a list of facts stays where it is when they are measured again. */
export function named(facts: readonly Fact[]): { name: string; fact: Fact }[] {
  const times = new Map<string, number>();
  return facts.map((fact) => {
    const said = `${fact.kind} ${fact.text}`;
    const time = times.get(said) ?? 0;
    times.set(said, time + 1);
    return { name: `${time} ${said}`, fact };
  });
}

/** Whole per cent; all and nothing are said of nothing less. */
export function percentOf({ kept, total }: Pick<Fidelity, 'kept' | 'total'>): number {
  if (kept === 0 || kept === total) return kept === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round((kept / total) * 100)));
}
