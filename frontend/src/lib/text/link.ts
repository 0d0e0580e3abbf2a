export const link = {
  title: 'Open this link?',
  open: 'Open link',
  copy: 'Copy link',
} as const;
