import { app as texts } from './lib/text/app';

/** Says that the window could not be read, with nothing of it. */
export function sayUnread(): void {
  const made = (tag: string, said: string) => Object.assign(document.createElement(tag), { textContent: said });
  const again = made('button', texts.retry);
  again.onclick = () => {
    location.reload();
  };
  again.style.cssText = 'margin-top: 1em; padding: 0.3em 0; text-decoration: underline';
  const note = document.createElement('main');
  note.style.cssText = 'padding: 2em';
  const words = document.createElement('div');
  words.setAttribute('role', 'alert');
  words.append(made('h1', texts.windowFailed), made('p', texts.partWhy), again);
  note.append(words);
  document.getElementById('app')?.replaceChildren(note);
}
