import { count } from '../format';

export const flow = {
  tokens: 'tokens',
  label: (before: number, after: number) => `From ${count(before)} to ${count(after)} tokens`,
  estimated: 'Estimated from the text, four characters for a token',
  parts: (summary: number, kept: number) => `summary ${count(summary)} + kept ${count(kept)}`,
  onlyKept: (kept: number) => `summary + kept ${count(kept)}`,
} as const;
