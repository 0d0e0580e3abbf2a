import { coloured, isColourable, type Colouring } from './colouring';
import { Near } from './near';
import { Painter } from './painter';

// Rows come and go while scrolling: what was coloured once need not be asked for again.
const MAX_KNOWN = 400;
const LANGUAGE = 'language-';

const known = new Map<string, Colouring | null>();
const waiting = new Map<string, Set<HTMLElement>>();
let painter: Painter | null = null;

const languages = new WeakMap<Element, string>();
const near = new Near((element) => {
  colour(element, languages.get(element) ?? '');
});

/** Gives the code in an element its colours, at once if they are known, else when they are. */
export function colour(element: HTMLElement, language: string): void {
  const code = element.textContent;
  if (!language || !code || !isColourable(code)) return;
  const key = keyOf(code, language);
  const colouring = known.get(key);
  if (colouring !== undefined) {
    apply(element, code, colouring);
    return;
  }
  const others = waiting.get(key);
  if (others) {
    others.add(element);
    return;
  }
  waiting.set(key, new Set([element]));
  painter ??= new Painter(({ key: answered, colouring: answer }) => {
    arrive(answered, answer);
  });
  painter.paint(key, code, language);
}

/** The same for every piece of code in what the renderer made, once it is near the view. */
export function colourWithin(root: Element): void {
  for (const element of uncoloured(root)) {
    // What comes back into view has its colours from the start.
    const language = languages.get(element) ?? '';
    if (known.has(keyOf(element.textContent, language))) colour(element, language);
    else near.observe(element);
  }
}

/** The same for one piece of code that `uncoloured` found; `now` without waiting whether it stays. */
export function colourFound(element: HTMLElement, now: boolean): void {
  if (now) colour(element, languages.get(element) ?? '');
  else near.observe(element);
}

/** The code within an element that is met for the first time: it is asked for once, whatever comes of it. */
export function uncoloured(root: Element): HTMLElement[] {
  const found = [...root.querySelectorAll<HTMLElement>(`code[class^="${LANGUAGE}"]`)];
  for (const element of found) {
    languages.set(element, element.className.slice(LANGUAGE.length));
    element.removeAttribute('class');
  }
  return found;
}

/** The class by which `colourWithin` finds a piece of code. */
export function languageClass(language: string): string {
  return LANGUAGE + language;
}

function keyOf(code: string, language: string): string {
  return `${language}\n${code}`;
}

function arrive(key: string, colouring: Colouring | null): void {
  known.set(key, colouring);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? key);
  const language = key.slice(0, key.indexOf('\n'));
  for (const element of waiting.get(key) ?? []) {
    const code = element.textContent;
    // It may hold something else by now.
    if (element.isConnected && keyOf(code, language) === key) apply(element, code, colouring);
  }
  waiting.delete(key);
}

function apply(element: HTMLElement, code: string, colouring: Colouring | null): void {
  const colours = colouring && coloured(code, colouring);
  if (colours) element.replaceChildren(colours);
}
