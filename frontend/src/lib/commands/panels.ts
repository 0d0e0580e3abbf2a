import { focusShown } from '../../ui/focus';
import type { App } from '../app.svelte';
import { isReading, type Command } from './command';

type Panel = 'library' | 'conversation' | 'context';

const element = (panel: Panel) =>
  panel === 'conversation' ? document.getElementById(panel) : document.querySelector(`[data-panel="${panel}"]`);

/** What takes the focus of a panel: the row that the arrows move from, or the panel itself. */
function target(panel: Panel): HTMLElement | null {
  // In this order, not in that of the page.
  const inside: Record<Panel, string[]> = {
    library: ['[data-key][tabindex="0"]', '[data-testid="filter"]'],
    conversation: ['[data-current]'],
    context: ['[tabindex="0"]'],
  };
  const found = element(panel);
  const [first] = inside[panel].flatMap((one) => found?.querySelector<HTMLElement>(one) ?? []);
  return first ?? (found as HTMLElement | null);
}

export function focusPanel(panel: Panel): void {
  const before = document.activeElement;
  requestAnimationFrame(() => void focusShown(() => target(panel), before));
}

/** On to the next panel that is there, the bar and the panels in the order in which they stand. */
function cycle(by: 1 | -1): Command {
  return {
    run: (app: App) => {
      const panels: Panel[] = (['library', 'conversation', 'context'] as const).filter((panel) => element(panel));
      const at = panels.findIndex((panel) => element(panel)?.contains(document.activeElement));
      const next = panels.at(at < 0 ? (by === 1 ? 0 : -1) : (at + by) % panels.length);
      if (next) focusPanel(next);
      // What lies over the conversation would hide what has the focus.
      if (next === 'conversation') app.layout.reveal();
    },
  };
}

export const panels = {
  focusLibrary: {
    run: (app) => {
      app.layout.showLibrary();
      focusPanel('library');
    },
  },
  focusTranscript: {
    run: (app) => {
      app.layout.reveal();
      focusPanel('conversation');
    },
  },
  focusContext: {
    run: (app) => {
      app.layout.showContext();
      focusPanel('context');
    },
    enabled: isReading,
  },
  nextPanel: cycle(1),
  previousPanel: cycle(-1),
} satisfies Record<string, Command>;
