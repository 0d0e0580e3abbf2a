import { count } from '../format';

export const bar = {
  showLibrary: 'Show the library',
  hideLibrary: 'Hide the library',
  showContext: 'Show the context',
  hideContext: 'Hide the context',
  panelWidth: { library: 'Width of the library', context: 'Width of the context' },
  theme: { system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' },
  pages: { statistics: 'Statistics', ledger: 'Compaction ledger' },
  window: (used: number, window: number) => `${count(used)} of ${count(window)} tokens`,
} as const;
