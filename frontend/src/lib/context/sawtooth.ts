import type { SizePoint } from '../backend';

export interface Box {
  width: number;
  height: number;
}

/** The size of the context as a line over the session, ready to be drawn. */
export interface Sawtooth {
  line: string;
  area: string;
  /** Where each compaction is, from left to right. */
  ticks: { index: number; x: number }[];
  /** How high what is kept free begins; null if the line stays so far below it that showing it would make the line flat. */
  limit: number | null;
  peak: number;
  x: (index: number) => number;
  y: (tokens: number) => number;
}

/** How many times the peak the height may stand for, so that the reserve comes into view. */
const ROOM = 2.5;
const ABOVE = 1.08;

const isKnown = ({ index, tokens }: SizePoint) => Number.isFinite(index) && Number.isFinite(tokens) && tokens >= 0;

/** Null where there is too little for a line. */
export function sawtoothOf(
  { points, compactions }: { points: readonly SizePoint[]; compactions: readonly { index: number }[] },
  limit: number,
  { width, height }: Box,
): Sawtooth | null {
  const known = points.filter(isKnown).sort((a, b) => a.index - b.index);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || first.index === last.index) return null;
  const peak = Math.max(...known.map(({ tokens }) => tokens));
  const shown = limit > 0 && limit <= peak * ROOM;
  const most = Math.max(1, peak, shown ? limit : 0) * ABOVE;
  const x = (index: number) => round((Math.min(1, Math.max(0, share(index, first, last))) || 0) * width);
  const y = (tokens: number) => round(height - (tokens / most) * height);
  const line = known.map(({ index, tokens }, i) => `${i === 0 ? 'M' : 'L'}${x(index)} ${y(tokens)}`).join('');
  return {
    line,
    area: `${line}L${x(last.index)} ${height}L${x(first.index)} ${height}Z`,
    ticks: compactions.filter(({ index }) => Number.isFinite(index)).map(({ index }) => ({ index, x: x(index) })),
    limit: shown ? y(limit) : null,
    peak,
    x,
    y,
  };
}

function share(index: number, first: SizePoint, last: SizePoint): number {
  return (index - first.index) / (last.index - first.index);
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

/** The points with one among them that is looked at, though another spread has left it out. */
export function withPoint(points: readonly SizePoint[], point: SizePoint | null): readonly SizePoint[] {
  if (!point || points.some(({ seq }) => seq === point.seq)) return points;
  return [...points, point].sort((a, b) => a.index - b.index);
}

/** The place of a moment among the points; the last stands for now. */
export function positionOf(points: readonly SizePoint[], point: SizePoint | null): number {
  const found = point ? points.findIndex(({ seq }) => seq === point.seq) : -1;
  return found < 0 ? points.length - 1 : found;
}

/** The moment at a place; null is now. */
export function momentAt(points: readonly SizePoint[], position: number): SizePoint | null {
  return position >= points.length - 1 ? null : (points[Math.max(0, Math.round(position))] ?? null);
}
