type Fields = Record<string, unknown>;
export type Content = string | Fields[];

const MINUTE = 60_000;

export function textBlock(text: string): Fields {
  return { type: 'text', text };
}

/** Writes a log line by line, as an agent would; each record comes a minute after the one before. */
export class Log {
  seq = 0;
  messages = 0;
  firstTime: string;
  lastTime: string;
  private readonly lines: string[] = [];
  private time: number;
  private calls = 0;

  constructor(start = '2026-11-20T09:00:00.000Z') {
    this.time = Date.parse(start);
    this.firstTime = this.lastTime = start;
  }

  user(content: Content, more: Fields = {}): this {
    return this.message('user', content, more);
  }

  assistant(content: Content, more: Fields = {}): this {
    return this.message('assistant', content, { stopReason: 'stop', ...more });
  }

  /** A call and, unless it is left out, its result. */
  call(name: string, args: unknown, result?: Content, more: Fields = {}): this {
    const id = `call_${++this.calls}`;
    this.message('assistant', [{ type: 'toolCall', id, name, arguments: args }], { stopReason: 'toolUse' });
    if (result !== undefined) this.message('toolResult', result, { toolCallId: id, isError: false, ...more });
    return this;
  }

  compaction(firstKeptSeq: number, summary: string, more: Fields = {}): this {
    return this.record('compaction', {
      summary,
      firstKeptSeq,
      tokensBefore: 9000,
      tokensAfter: 120,
      readFiles: [],
      modifiedFiles: [],
      trigger: 'manual',
      ...more,
    });
  }

  /** An overlay of schemaVersion 2. */
  overlay(recordType: string, more: Fields): this {
    return this.record(recordType, { schemaVersion: 2, ...more });
  }

  message(role: string, content: Content, more: Fields = {}): this {
    this.messages++;
    return this.record('message', {
      role,
      content: typeof content === 'string' ? [textBlock(content)] : content,
      ...more,
    });
  }

  record(recordType: string, more: Fields): this {
    const timestamp = new Date(this.time).toISOString();
    this.time += MINUTE;
    if (recordType === 'message') this.lastTime = timestamp;
    this.raw(JSON.stringify({ recordType, schemaVersion: 1, seq: this.seq + 1, timestamp, ...more }));
    this.seq = typeof more.seq === 'number' ? more.seq : this.seq + 1;
    return this;
  }

  /** A line as it is, whatever it is. */
  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }
}

/** A conversation of so many messages, each of which says its number. */
export function conversation(messages: number, start?: string): Log {
  const log = new Log(start);
  for (let n = 1; n <= messages; n++) {
    if (n % 2 === 1) log.user(`Question ${n}.`);
    else log.assistant(`Answer ${n}.${' More of it.'.repeat(n % 30)}`);
  }
  return log;
}

/** Twelve messages with a compaction after the eighth, of which it kept the last two. */
export function compacted(): Log {
  const log = conversation(8);
  log.compaction(7, '## Goal\n\nKeep the **harbour** lights on.', {
    readFiles: ['docs/lights.md', 'docs/tides.md'],
    modifiedFiles: ['src/harbour.go'],
  });
  for (let n = 9; n <= 12; n++) {
    if (n % 2 === 1) log.user(`Question ${n}.`);
    else log.assistant(`Answer ${n}.`);
  }
  return log;
}
