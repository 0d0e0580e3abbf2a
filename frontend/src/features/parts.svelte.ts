import type { Component } from 'svelte';

/** A part of the page that the first look at a conversation does without: it is read behind that, or when it is asked for. */
export class Part<P extends object> {
  component = $state.raw<Component<P> | null>(null);
  private coming: Promise<void> | null = null;

  constructor(private readonly read: () => Promise<{ default: Component<P> }>) {}

  /** What could not be read stays so for this page: asked for again, a part would come without the styles that are missing. */
  load(): Promise<void> {
    this.coming ??= this.read().then((part) => {
      this.component = part.default;
    });
    return this.coming;
  }
}

let file: Promise<unknown> | null = null;

/** One of those that come in one file: what could not be read of it is not there for any of them. */
const together = <P extends object>(read: () => Promise<{ default: Component<P> }>) =>
  new Part<P>(() => {
    file ??= read();
    return file.then(read);
  });

// Not among them is what takes text at once: the first letters would go elsewhere.
export const parts = {
  transcript: new Part(() => import('./transcript/Transcript.svelte')),
  context: new Part(() => import('./context/ContextPanel.svelte')),
  keys: together(() => import('./shell/Keys.svelte')),
  settings: together(() => import('./settings/Settings.svelte')),
  review: together(() => import('./compaction/CompactionReview.svelte')),
  rules: together(() => import('./rules/Rules.svelte')),
  forget: together(() => import('./forget/Forget.svelte')),
  undoFiles: together(() => import('./undo/UndoFiles.svelte')),
  nothing: together(() => import('./search/Nothing.svelte')),
  arrange: together(() => import('./library/ArrangeMenu.svelte')),
  outcome: together(() => import('./library/BulkOutcome.svelte')),
  retention: together(() => import('./retention/Retention.svelte')),
  statistics: together(() => import('./statistics/Statistics.svelte')),
  ledger: together(() => import('./ledger/Ledger.svelte')),
};

// An idle page may be told so only with the first key: then it would be the key that waits.
const LONGEST_MS = 1000;

/** Settles once nothing else is to be done. */
export const rest = () =>
  new Promise<void>((resolve) => {
    // WebKit has no word for having nothing to do.
    if ('requestIdleCallback' in globalThis)
      requestIdleCallback(
        () => {
          resolve();
        },
        { timeout: LONGEST_MS },
      );
    else setTimeout(resolve, 50);
  });

/** Reads all parts, one by one while nothing else is to be done, so that nobody waits for one. */
export async function readParts(): Promise<void> {
  for (const part of Object.values(parts)) {
    await rest();
    // Whoever asks for it is told.
    await part.load().catch(() => undefined);
  }
}
