import { atLeast, cost, count, tokensShort } from '../format';
import { later } from '../text/later';
import type { Metrics, RawRecord, TokenKind } from '../backend';
import type { RowAt } from './join';
import { isObject, num, str } from './record';

/** What a request may leave untold. */
const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cost'] as const;
type Kind = (typeof KINDS)[number];

/** What requests used. What nobody knows is null; of a cache it need not be told apart from nothing. */
export interface Usage {
  requests: number;
  input: number | null;
  output: number | null;
  cacheRead: number;
  cacheWrite: number;
  cost: number | null;
  /** How many of the requests don't tell: there is more than the sum. */
  untold: Record<Kind, number>;
}

/** What a request used of which nobody tells. */
const UNTOLD: Usage = {
  ...{ requests: 1, input: null, output: null, cacheRead: 0, cacheWrite: 0, cost: null },
  untold: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: 1 },
};

/** What the request of an answer used, or those for a summary, if that was reported. */
export function usedBy(record: RawRecord): Usage | null {
  const asked = record.role === 'assistant' || record.recordType === 'compaction';
  if (!asked || !isObject(record.usage)) return null;
  const told = record.usage;
  const [input, output, cacheRead, cacheWrite] = [told.input, told.output, told.cacheRead, told.cacheWrite].map(
    atLeast0,
  );
  const all = { input: input ?? null, output: output ?? null, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 };
  if ((all.input ?? 0) + (all.output ?? 0) + all.cacheRead + all.cacheWrite === 0) return null;
  const one = { ...all, cost: num(record.usage.cost) };
  const missing = (kind: Kind) => (one[kind] === null ? 1 : 0);
  return {
    ...{ requests: 1, ...one },
    untold: { input: missing('input'), output: missing('output'), cacheRead: 0, cacheWrite: 0, cost: missing('cost') },
  };
}

function atLeast0(value: unknown): number | null {
  const n = num(value);
  return n === null ? null : Math.max(0, n);
}

/** What a session used, null where no answer told. */
export function spentOf(metrics: Metrics): Usage | null {
  const { input, output, cacheRead, cacheWrite, total, cost, untold: silent = 0, untoldKinds = {} } = metrics;
  if (total === null) return null;
  const missing = (kind: TokenKind) => (metrics[kind] === null ? 0 : silent + (untoldKinds[kind] ?? 0)); // of none, no part
  const untold = {
    ...{ input: missing('input'), output: missing('output'), cacheRead: missing('cacheRead') },
    ...{ cacheWrite: missing('cacheWrite'), cost: 0 }, // what is not all of the cost is not told
  };
  return { requests: 0, input, output, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0, cost, untold };
}

function sum(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    input: known(a.input, b.input),
    output: known(a.output, b.output),
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cost: known(a.cost, b.cost),
    untold: {
      input: a.untold.input + b.untold.input,
      output: a.untold.output + b.untold.output,
      cacheRead: a.untold.cacheRead + b.untold.cacheRead,
      cacheWrite: a.untold.cacheWrite + b.untold.cacheWrite,
      cost: a.untold.cost + b.untold.cost,
    },
  };
}

function known(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : a + b;
}

// A turn of more lines than this is not added up.
const REACH = 500;

/** What the turn used that ends with the answer at `position`; null where none does, or not all of it is known. */
export function usedInTurn(rowAt: RowAt, position: number): Usage | null {
  const last = rowAt(position);
  if (last?.kind !== 'record' || str(last.record.stopReason) === 'toolUse') return null;
  let total = usedBy(last.record);
  for (let at = position - 1; total && at >= 0; at--) {
    const row = rowAt(at);
    if (!row || at < position - REACH) return null;
    // What a person alone was shown is no part of it.
    if (row.kind !== 'record' || row.record.aside === true) continue;
    if (row.record.recordType === 'message') {
      if (row.record.role === 'user') break;
      if (row.record.role !== 'assistant') continue;
      // The turn before, where something else began this one. What failed is a part of it: it was tried again.
      if (!['toolUse', 'error'].includes(str(row.record.stopReason))) break;
      // Without a model nothing is used.
    } else if (row.record.recordType !== 'compaction' || !str(row.record.model)) continue;
    total = sum(total, usedBy(row.record) ?? UNTOLD);
  }
  return total;
}

/** In a few words: 1.2k in · 340 out · $0.012; with ≥ where there is more than that. */
export function inShort({
  input,
  output,
  cacheRead,
  cacheWrite,
  cost: dollars,
  untold,
}: Omit<Usage, 'requests'>): string {
  const words = later.usage;
  const fromCache = cacheRead + cacheWrite;
  const into = input === null && fromCache === 0 ? null : (input ?? 0) + fromCache;
  return [
    ...(into === null
      ? []
      : [words.in(atLeast(tokensShort(into), untold.input + untold.cacheRead + untold.cacheWrite > 0))]),
    ...(output === null ? [] : [words.out(atLeast(tokensShort(output), untold.output > 0))]),
    ...(dollars === null ? [] : [atLeast(cost(dollars), untold.cost > 0)]),
  ].join(' · ');
}

/** To the last token, a line for each. */
export function exactly({ requests, input, output, cacheRead, cacheWrite, cost: dollars, untold }: Usage): string {
  const words = later.usage;
  const cached = { cacheRead: cacheRead > 0, cacheWrite: cacheWrite > 0 };
  const said = {
    ...cached,
    input: input !== null || cacheRead + cacheWrite > 0,
    output: output !== null,
    cost: dollars !== null,
  };
  const least = (what: string, kind: Kind) => (untold[kind] > 0 ? words.atLeast(what) : what);
  return [
    requests > 1 ? words.requests(requests) : '',
    input === null ? '' : least(words.input(count(input)), 'input'),
    cacheRead > 0 ? least(words.cacheRead(count(cacheRead)), 'cacheRead') : '',
    cacheWrite > 0 ? least(words.cacheWrite(count(cacheWrite)), 'cacheWrite') : '',
    output === null ? '' : least(words.output(count(output)), 'output'),
    dollars === null ? '' : least(words.cost(String(Number(dollars.toPrecision(6)))), 'cost'),
    // Of what is not said at all, no part is missing.
    ...KINDS.map((kind) =>
      untold[kind] > 0 && said[kind] && requests > 0 ? words.untold(untold[kind], requests, words.kinds[kind]) : '',
    ),
  ]
    .filter(Boolean)
    .join('\n');
}
