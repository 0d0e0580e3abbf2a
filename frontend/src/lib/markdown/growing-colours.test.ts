// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GrowingColours } from './growing-colours';
import { renderMarkdown } from './markdown';

vi.mock('./painter', () => ({
  Painter: class {
    constructor(private readonly answer: (answer: unknown) => void) {}
    paint(key: string, code: string): void {
      this.answer({ key, colouring: ['hljs-keyword', code.length, 0] });
    }
  },
}));

let root: HTMLElement;
let colours: GrowingColours;

function add(name: string): Element {
  root.insertAdjacentHTML('beforeend', renderMarkdown(`\`\`\`go\nfunc ${name}() {}\n\`\`\``));
  return root.lastElementChild ?? root;
}

/** Puts an element so far below the top of the window. */
function put(element: Element, top: number): void {
  const code = element.querySelector('code') ?? element;
  vi.spyOn(code, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, top, 100, 100));
}

const coloured = () => [...root.querySelectorAll('.hljs-keyword')].map((span) => span.textContent);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'DOMRect',
    class {
      constructor(
        readonly x: number,
        readonly top: number,
        readonly width: number,
        readonly height: number,
      ) {}
      get bottom() {
        return this.top + this.height;
      }
    },
  );
  root = document.createElement('div');
  document.body.append(root);
  colours = new GrowingColours(root);
});
afterEach(() => {
  vi.useRealTimers();
  root.remove();
});

test('what goes past is left alone, what stays has its colours, and once all is there each may have them', () => {
  put(add('past'), 0);
  colours.look(true);
  vi.advanceTimersByTime(1200);
  put(root.firstElementChild ?? root, -2000);
  put(add('stays'), 300);
  colours.look(true);
  vi.advanceTimersByTime(1000);
  expect(coloured(), 'too early').toEqual([]);
  vi.advanceTimersByTime(900);
  expect(coloured()).toEqual(['func stays() {}']);
  colours.look(false);
  vi.advanceTimersByTime(1000);
  expect(coloured()).toEqual(['func past() {}', 'func stays() {}']);
});

test('it watches no longer than the text is shown', () => {
  put(add('gone'), 0);
  colours.look(true);
  root.remove();
  vi.advanceTimersByTime(5000);
  expect(vi.getTimerCount()).toBe(0);
  expect(coloured()).toEqual([]);
});
