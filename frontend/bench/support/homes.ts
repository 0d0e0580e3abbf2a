import { conversation, Log, textBlock } from '../../e2e/support/log';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Home } from '../../e2e/support/home';

/** Writes a session of any size without ever holding it. */
export function stream(home: Home, lines: Iterable<string>): string {
  const id = home.session(new Log());
  const file = openSync(home.path(id, 'session.jsonl'), 'w');
  let held: string[] = [];
  for (const line of lines) {
    held.push(line);
    if (held.length < 500) continue;
    writeSync(file, held.join(''));
    held = [];
  }
  writeSync(file, held.join(''));
  closeSync(file);
  return id;
}

/** Messages of different heights, among them calls with their results; each so many bytes longer than it need be. */
export function* messages(count: number, more = 0): Generator<string> {
  const ballast = 'output of a tool, line after line\\n'.repeat(Math.ceil(more / 35));
  for (let seq = 1; seq <= count; seq++) {
    const timestamp = new Date(Date.UTC(2026, 9, 1) + seq * 20_000).toISOString();
    const head = `{"recordType":"message","schemaVersion":1,"seq":${seq},"timestamp":"${timestamp}"`;
    if (seq % 3 === 1) yield `${head},"role":"user","content":[{"type":"text","text":"Question ${seq}: *why*?"}]}\n`;
    else if (seq % 3 === 2) {
      const content = JSON.stringify([
        textBlock(
          `Answer ${seq}.\n\n${'- a point with `code` and **weight**\n'.repeat(seq % 7)}\n${'Prose. '.repeat(seq % 90)}`,
        ),
        { type: 'toolCall', id: `c${seq}`, name: 'bash', arguments: { command: `go test ./pkg${seq}` } },
      ]);
      yield `${head},"role":"assistant","content":${content},"stopReason":"toolUse"}\n`;
    } else {
      const text = `"text":"ok ${seq}\\n${ballast}"`;
      yield `${head},"role":"toolResult","toolCallId":"c${seq - 1}","isError":false,"content":[{"type":"text",${text}}]}\n`;
    }
  }
}

export const MESSAGES = 100_000;

function* oneLong(): Generator<string> {
  const [first = '', , last = ''] = conversation(3).text().split('\n');
  const text = 'All work and no play makes a long log.\\n'.repeat((50 * 1_048_576) / 40);
  yield `${first}\n`;
  yield `{"recordType":"message","schemaVersion":1,"seq":2,"timestamp":"2026-11-20T09:01:00.000Z","role":"assistant","content":[{"type":"text","text":"${text}"}],"stopReason":"stop"}\n`;
  yield `${last}\n`;
}

/** What is large: its name, its place among the sessions of `fillLarge`, and the number of its last message. */
export const LARGE: [name: string, place: number, seq: number][] = [
  ['100,000 messages', 0, MESSAGES],
  ['a log of 1 GB', 1, MESSAGES],
  ['a message of 50 MB', 2, 3],
];

export function fillLarge(home: Home): void {
  stream(home, messages(MESSAGES));
  stream(home, messages(MESSAGES, 31_500));
  stream(home, oneLong());
}
