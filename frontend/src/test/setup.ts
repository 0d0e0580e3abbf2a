import { vi } from 'vitest';

// What cleans a page up has to be read first: where there is none, that would take longer than the tests.
if ('document' in globalThis) await import('@testing-library/svelte/vitest');

// jsdom has no layout: what asks for it gets an answer that stays the same.
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
);
vi.stubGlobal(
  'IntersectionObserver',
  class {
    constructor(private readonly report: (entries: { target: Element; isIntersecting: boolean }[]) => void) {}
    observe = (target: Element) => {
      this.report([{ target, isIntersecting: true }]);
    };
    unobserve = () => undefined;
  },
);
vi.stubGlobal('matchMedia', (media: string) => ({
  media,
  matches: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));

// What Svelte warns of while one develops is a mistake.
const { warn } = console;
// eslint-disable-next-line no-console -- it is said as before
console.warn = (...said: unknown[]) => {
  if (said.some((one) => String(one).includes('svelte.dev/e/'))) throw new Error(said.join(' '));
  warn(...said);
};
