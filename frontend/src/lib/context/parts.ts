import type { Context } from '../backend';
import { text } from '../text';

export interface Part {
  key: 'injected' | 'summary' | 'kept' | 'fresh' | 'free' | 'reserve';
  label: string;
  tokens: number;
  /** Share of the bar, in percent. */
  share: number;
}

/** The parts of the window in order. Without a compaction all that is said is one part. */
export function partsOf({ parts, tokens, compactionSeq }: Context): Part[] {
  const names = text.context.parts;
  const used = parts.injected + parts.summary + parts.kept + parts.fresh;
  const free = Math.max(0, tokens.window - tokens.reserve - used);
  const kept = compactionSeq === null ? names.keptOnly : names.kept;
  const all: [Part['key'], string, number][] = [
    ['injected', names.injected, parts.injected],
    ['summary', names.summary, parts.summary],
    ['kept', kept, parts.kept],
    ['fresh', names.fresh, parts.fresh],
    ['free', names.free, free],
    ['reserve', names.reserve, tokens.reserve],
  ];
  // A context larger than its window fills the bar and more; the bar shows it to scale all the same.
  const whole = Math.max(1, used + free + tokens.reserve);
  return all
    .filter(([key, , n]) => n > 0 || key === 'free')
    .map(([key, label, n]) => ({ key, label, tokens: n, share: (n / whole) * 100 }));
}
