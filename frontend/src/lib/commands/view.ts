import { hashOfPage } from '../route.svelte';
import type { Theme } from '../theme.svelte';
import { isReading, type Command } from './command';
import { focusOn, press } from './subject';

const themed = (theme: Theme): Command => ({
  run: (app) => {
    app.theme.choose(theme);
  },
});

export const view = {
  library: {
    run: (app) => {
      app.layout.toggleLibrary();
    },
  },
  context: {
    run: (app) => {
      app.layout.toggleContext();
    },
    enabled: isReading,
  },
  shelf: {
    run: (app) => {
      app.layout.showLibrary();
      return app.library.openShelf(app.library.shelf === 'trash' ? 'sessions' : 'trash');
    },
  },
  archivedToo: {
    run: (app) => {
      app.layout.showLibrary();
      app.library.archivedToo = !app.library.archivedToo;
    },
    enabled: (app) => app.library.shelf === 'sessions',
  },
  arrange: {
    run: (app) => {
      app.layout.showLibrary();
      requestAnimationFrame(() => {
        press('arrange');
      });
    },
  },
  zoomIn: {
    run: (app) => {
      app.zoom.step(1);
    },
  },
  zoomOut: {
    run: (app) => {
      app.zoom.step(-1);
    },
  },
  zoomReset: {
    run: (app) => {
      app.zoom.reset();
    },
  },
  themeLight: themed('light'),
  themeDark: themed('dark'),
  themeSystem: themed('system'),
  theme: {
    run: (app) => {
      app.theme.cycle();
    },
  },
  search: {
    run: (app) => {
      // What is marked is likely to be what is wanted.
      const marked = getSelection()?.toString().trim() ?? '';
      const usable = marked !== '' && marked.length <= 200 && !marked.includes('\n') && !app.search.isOpen;
      app.navigation.searchEverything(usable ? marked : undefined);
    },
  },
  palette: { run: (app) => (app.dialog = 'palette') },
  keys: { run: (app) => (app.dialog = 'keys') },
  retention: { run: (app) => (app.dialog = 'retention') },
  settings: { run: (app) => (app.dialog = 'settings') },
  home: {
    run: (app) => {
      app.route.go(null);
    },
  },
  statistics: {
    run: (app) => {
      app.route.to(hashOfPage('statistics'));
    },
  },
  ledger: {
    run: (app) => {
      app.route.to(hashOfPage('ledger'));
    },
  },
  filter: {
    run: (app) => {
      app.layout.showLibrary();
      focusOn('filter');
    },
  },
} satisfies Record<string, Command>;
