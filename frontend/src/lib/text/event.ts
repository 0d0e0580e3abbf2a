import { count, plural } from '../format';

export const event = {
  branch: (seq: number) => (seq > 0 ? `Branched off after ${seq}` : 'Branched off from the start'),
  revert: (seq: number) => `Undid ${seq}`,
  prune: (n: number, tokens: number | null) =>
    `Cleared ${plural(n, 'tool result', 'tool results')}${tokens ? `, ${count(tokens)} tokens` : ''}`,
  label: (label: string, seq: number) => `Labelled ${seq} “${label}”`,
  unlabel: (seq: number) => `Removed the label of ${seq}`,
  model: (model: string) => `Model: ${model}`,
  injected: (what: string) => (what ? `Injected · ${what}` : 'Injected'),
  data: 'Data',
  note: (namespace: string) => `Note by ${namespace}`,
  unknown: (type: string) => `Record “${type}”`,
  goTo: (seq: number) => `Go to ${seq}`,
} as const;
