export const fresh = {
  title: 'New conversation',
  heading: 'What is it about?',
  lead: 'It begins with your first message. Until then nothing is written.',
  note: 'Everything said is kept in a log that only grows. When the window fills, a compaction stands in for what came first, and can be undone.',
} as const;
