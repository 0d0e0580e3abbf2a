import { text } from '../text';
import { isObject, num, str } from '../transcript/record';
import { visibleLine } from '../visible';

const WORDS = 300;

/** What a turn does beside answering: what goes on now, and what of it stays to be read. */
export interface Happening {
  now: string;
  after: string;
}

const quiet: Happening = { now: '', after: '' };

/** What an event about a memory flush says. */
export function flushing(data: Record<string, unknown>): Happening {
  const words = text.composer.flush;
  const reason = visibleLine(str(data.reason), WORDS);
  if (data.state === 'started') return { now: words.started, after: '' };
  if (data.state === 'failed') return { now: '', after: words.failed(reason) };
  if (data.state === 'skipped') return { now: '', after: words.skipped(reason) };
  return quiet;
}

/** What an event about a compaction says. Where it was made, the band in the log says the rest. */
export function compacting(data: Record<string, unknown>): Happening {
  const words = text.composer.compaction;
  const hook = isObject(data.hook) ? data.hook : {};
  const problem = visibleLine(str(hook.problem), WORDS);
  switch (data.state) {
    case 'pruned':
      return { now: '', after: words.pruned(num(data.tokensFreed)) };
    case 'started':
      return { now: data.trigger === 'overflow' ? words.overflow : words.started, after: '' };
    case 'failed':
      return { now: '', after: words.failed(isObject(data.error) ? visibleLine(str(data.error.message), WORDS) : '') };
    case 'done':
      if (problem) return { now: '', after: words.hookFailed(problem) };
      return {
        now: '',
        after: hook.used === 'summary' ? words.hookWrote : hook.used === 'context' ? words.hookAdded : '',
      };
  }
  return quiet;
}
