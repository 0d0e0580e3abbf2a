export const notify = {
  done: 'The answer is complete',
  failed: (why: string) => `The answer failed${why ? `: ${why}` : ''}`,
  asks: (what: string) => `Asks whether it may run ${what}`,
  offer: 'Be told when an answer is complete, or asks, while you are elsewhere?',
  allow: 'Allow',
} as const;
