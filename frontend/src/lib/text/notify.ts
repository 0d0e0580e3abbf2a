export const notify = {
  done: 'The answer is complete',
  failed: (why: string) => `The answer failed${why ? `: ${why}` : ''}`,
  asks: (what: string) => `Asks whether it may run ${what}`,
  asksIn: (name: string) => `“${name}” asks whether a tool may run`,
  open: 'Open',
  offer: 'Be told when an answer is complete, or asks, while you are elsewhere?',
  allow: 'Allow',
} as const;
