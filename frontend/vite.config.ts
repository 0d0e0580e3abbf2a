import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The script that all components are made with. */
const RUNTIME = 'runtime';

/** What the first script is going to ask for is asked for beside it, by the page. */
const beside = (): Plugin => ({
  name: 'beside',
  transformIndexHtml: {
    order: 'post',
    handler(_, { chunk, bundle = {} }) {
      const scriptOf = (name: string) => (bundle[name]?.type === 'chunk' ? bundle[name] : null);
      const withImports = (names: string[]) => {
        const all = new Set(names);
        for (const name of all) for (const next of scriptOf(name)?.imports ?? []) all.add(next);
        return [...all];
      };
      const first = withImports(chunk ? [chunk.fileName] : []);
      const asked = withImports(first.flatMap((name) => scriptOf(name)?.dynamicImports ?? []));
      const next = asked.filter((name) => !first.includes(name));
      const styles = next.flatMap((name) => [...(scriptOf(name)?.viteMetadata?.importedCss ?? [])]);
      // A text that is drawn before its letters are there is laid out twice.
      const letters = Object.keys(bundle).filter((name) =>
        /(?:inter|jetbrains-mono)-latin-wght-normal-.*\.woff2$/.test(name),
      );
      const link = (rel: string, as?: string) => (name: string) => ({
        tag: 'link',
        attrs: { rel, crossorigin: true, href: `./${name}`, ...(as ? { as } : {}) },
        injectTo: 'head' as const,
      });
      return [
        ...next.map(link('modulepreload')),
        ...styles.map(link('stylesheet')),
        ...letters.map(link('preload', 'font')),
      ];
    },
  },
});

export default defineConfig({
  // Relative addresses: the window serves the page from a scheme of its own.
  base: './',
  plugins: [svelte(), svelteTesting({ autoCleanup: false }), beside()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['es2022', 'safari16.4'],
    // The polyfill would be an inline script, which the page's policy refuses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Much of it runs at once: Chromium compiles all of it while it comes, rather than each function when it is first called.
        postBanner: ({ name }) => (name === RUNTIME ? '//# allFunctionsCalledOnLoad' : ''),
        codeSplitting: {
          // Each with all it can't be without, in one file: what asks for the list, what holds it, what shows it, and a conversation.
          // What is shown first comes in three, which are read beside each other.
          groups: [
            { name: RUNTIME, test: /[\\/]node_modules[\\/](svelte|virtua|@lucide)[\\/]/, priority: 5 },
            { name: 'start', test: /[\\/]src[\\/]main\.ts$/, priority: 4 },
            { name: 'state', test: /[\\/]src[\\/]lib[\\/]app\.svelte\.ts$/, priority: 3 },
            { name: 'page', test: /[\\/]src[\\/]page\.ts$/, priority: 2 },
            { name: 'transcript', test: /[\\/]Transcript\.svelte$/, priority: 1 },
            // What is read behind all that: each file of styles more is a look at the whole page once more.
            {
              name: 'parts',
              test: /[\\/](Keys|Settings|CompactionReview|Rules|Forget|UndoFiles|ArrangeMenu|BulkOutcome|Retention|Statistics|Ledger|search[\\/]Nothing)\.svelte$/,
            },
          ],
        },
      },
    },
  },
  test: {
    // Files that need a page say so in their first line: to make one takes longer than most tests.
    environment: 'node',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    // Each file has a world of its own, and the process it is in is not a new one: half of the time went into those.
    pool: 'vmForks',
    // All processors: with one less, as it is by itself, half of a machine with two would wait.
    maxWorkers: '100%',
    restoreMocks: true,
    // A busy machine is no mistake of the page's.
    testTimeout: 30_000,
  },
});
