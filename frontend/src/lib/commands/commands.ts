import { tick } from 'svelte';
import type { App } from '../app.svelte';
import { text } from '../text';
import { uncover } from '../uncover';
import type { Command } from './command';
import { conversation } from './conversation';
import { inReading } from './reading';
import { panels } from './panels';
import { ids, labelOf, worksEverywhere, type CommandId } from './registry';
import { sessions } from './sessions';
import { view } from './view';

/** What every command of the data does. */
export const commands: Record<CommandId, Command> = { ...sessions, ...view, ...conversation, ...inReading, ...panels };

/** Whether a command can be done now. What lies behind a review is out of reach. */
export function isEnabled(app: App, id: CommandId): boolean {
  const inReview = id === 'accept' || id === 'leaveReview';
  if (app.reviews.current && !worksEverywhere(id) && !inReview) return false;
  // What lies under a search is not what somebody looks at.
  if (app.search.isOpen && (id in conversation || id in inReading)) return false;
  return commands[id].enabled?.(app) ?? true;
}

export function enabledNow(app: App): CommandId[] {
  return ids.filter((id) => isEnabled(app, id));
}

/** Something lies over the window that goes before anything is done that a menu offers. */
export const isCovered = (app: App): boolean => Boolean(app.dialog ?? app.asked ?? app.sheet ?? app.bulk.outcome);

/** Does what was chosen from a menu. What can't be done now may not be greyed out there, so the page says so. */
export async function choose(app: App, id: CommandId): Promise<void> {
  if (!uncover(app)) return;
  // What the dialog covered has the focus again.
  await tick();
  if (isEnabled(app, id)) await commands[id].run(app);
  else app.toasts.show(text.commands.notNow(labelOf(id)));
}
