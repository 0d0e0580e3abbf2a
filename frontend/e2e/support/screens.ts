import { Log, textBlock } from './log';

/** A conversation in which everything a message can hold occurs once. */
export function gallery(image: string): Log {
  const log = new Log('2026-11-20T09:00:00.000Z');
  log.user('Please **raise** the timeout, see `src/timeout.go` and [the notes](https://notes.example/timeouts).');
  log.assistant([
    { type: 'thinking', text: 'The *node* decides, not the pod.' },
    textBlock(
      '# Plan\n\n1. read\n2. change\n\n> Never touch the vendor folder.\n\n| node | ready |\n|---|---|\n| arm-1 | 8 s |',
    ),
    textBlock('```go\n// wait is in seconds\nfunc wait(n int) string { return "ok" }\n```\n\n- [x] read\n- [ ] change'),
  ]);
  log.call('bash', { command: 'go test ./...' }, 'ok\npalimpsest/backend\n'.repeat(14));
  log.call('edit', { path: 'src/timeout.go', oldText: 'wait(20)\n', newText: 'wait(40)\nlog()\n' }, 'ok');
  log.call('bash', { command: 'make deploy' }, 'make: *** no rule to make target', { isError: true });
  log.call('bash', { command: 'sleep 1d' });
  log.user([textBlock('This is what I see:'), { type: 'image', mediaType: 'image/png', blob: image }]);
  log.user([{ type: 'image', mediaType: 'image/png', blob: '0'.repeat(64) }]);
  log.assistant([{ type: 'hologram', depth: 3 }]);
  log.record('constellation', { schemaVersion: 9, stars: ['Vega'] });
  log.overlay('label', { targetSeq: 1, label: 'start here' });
  log.overlay('model', { provider: 'openai', model: 'gpt-6' });
  log.overlay('note', { namespace: 'notes', data: { page: 3 }, content: [textBlock('Mind the gap.')], display: true });
  return log.assistant('Half an ans', { stopReason: 'error', errorMessage: 'overloaded_error' });
}

/** A file with damage of every kind. */
export function damaged(): Log {
  const log = new Log().user('One.').raw('{"recordType":"message","schemaVersion":1,"seq":2,"ro').assistant('Two.');
  log.raw('not json').user('Four.', { seq: 4 }).assistant('Nine.', { seq: 9 });
  return log.user('Seven.', { seq: 7 });
}

/** A conversation that went another way, with a result that was cleared. */
export function branched(): Log {
  const log = new Log().user('One.').call('bash', { command: 'cat big' }, 'A long output.').user('Wrong way.');
  log.assistant('Very wrong.').overlay('branch', { fromSeq: 3, summary: 'The other way was **wrong**.' });
  return log
    .overlay('prune', { seqs: [3], tokensFreed: 4000 })
    .user('Right way.')
    .assistant('', { stopReason: 'error' });
}

/** A message longer than a page of the program. */
export function long(): Log {
  return new Log().user('Before.').assistant('All work and no play.\n'.repeat(60_000)).user('After.');
}
