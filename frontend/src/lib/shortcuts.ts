import type { App } from './app.svelte';
import { choose, commands, isEnabled } from './commands/commands';
import { Once } from './commands/once';
import { isChord, matches, mayBeChord, targetOf } from './commands/keys';
import {
  ids,
  isCommand,
  pressesOf,
  repeats,
  worksEverywhere,
  worksInDialogs,
  worksWhileTyping,
} from './commands/registry';

const TYPING = 'input:not([type="range"]), textarea, select, [contenteditable]';
const MENU = '[role="menu"]';

/** The keys that work wherever the focus is, and what is chosen from the menus of the system. */
export function bindShortcuts(app: App): () => void {
  const once = new Once();
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const target = targetOf(event);
    const inDialog = target.closest('dialog') !== null;
    const inMenu = target.closest(MENU) !== null;
    const typing = target.closest(TYPING) !== null;
    if (typing && !mayBeChord(event)) return;
    const id = ids.find((one) =>
      pressesOf(one).some(
        (press) =>
          press.scope === undefined &&
          matches(press, event) &&
          (!typing || (isChord(press) && worksWhileTyping(one))) &&
          (!inMenu || (isChord(press) && worksEverywhere(one))) &&
          (!inDialog || (isChord(press) && worksInDialogs(one))),
      ),
    );
    if (!id) return;
    // A browser has uses of its own for some of them: not here, even where there is nothing to do.
    event.preventDefault();
    if (event.repeat && !repeats(id)) return;
    if (isEnabled(app, id) && once.from('page', id)) void commands[id].run(app);
  };
  window.addEventListener('keydown', pressed);
  const stop = app.backend.onCommand?.((id) => {
    if (isCommand(id) && once.from('menu', id)) void choose(app, id);
  });
  return () => {
    window.removeEventListener('keydown', pressed);
    stop?.();
  };
}
