import { count } from '../format';

export const home = {
  title: 'See what your agent still remembers, and what it forgot.',
  lead: 'Palimpsest shows conversations with AI agents as one log that only grows. What a compaction replaced is still there, marked, readable, and one click from being undone.',
  legend: {
    superseded: 'A summary stands for it',
    compaction: 'A compaction',
    kept: 'The model still sees it',
    fresh: 'Since the last compaction',
  },
  sample: 'Open a sample conversation',
  where: 'Your sessions live in',
  found: 'Found on this machine',
  archived: (n: number) => `${count(n)} of them archived`,
  around: 'Of all sessions',
  pick: 'Choose a conversation on the left.',
  problems: 'Problems in the settings',
  example: {
    asked: 'Never touch the vendor folder.',
    answered: 'The image is built for one platform only.',
    compacted: 'Compacted',
    went: '98,112 → 1,140 tokens',
    kept: 'Raise the timeout to 40 s; the path stays.',
    fresh: 'Deploy to staging and watch it.',
  },
} as const;
