import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from './log';
import { run } from './program';

interface Metadata {
  name?: string;
  cwd?: string;
  archivedAt?: string;
  parentSessionId?: string;
  forkedAtSeq?: number;
  lastMessageAt?: string;
  source?: string;
  agent?: string;
}

/** A folder of sessions that belongs to one test. What the tests need in it they write themselves. */
export class Home {
  readonly dir = mkdtempSync(join(tmpdir(), 'palimpsest-e2e-'));
  private made = 0;

  /** Where sessions stay from test to test, the newest is the first of the library, and its row is in sight. */
  constructor(private readonly newestFirst = false) {}

  /** Writes a session as an agent would have left it, and returns its id. */
  session(log: Log, metadata: Metadata = {}): string {
    const id = `01JD${String(++this.made).padStart(22, '0')}`;
    mkdirSync(this.path(id), { recursive: true, mode: 0o700 });
    writeFileSync(this.path(id, 'session.jsonl'), log.text());
    const about = {
      id,
      createdAt: log.firstTime,
      lastMessageAt: this.newestFirst ? new Date().toISOString() : log.lastTime,
      model: 'gpt-5.4',
      messageCount: log.messages,
      source: 'interactive',
      ...metadata,
    };
    writeFileSync(this.path(id, 'metadata.json'), JSON.stringify(about, null, 2));
    return id;
  }

  /** What lies on the desk, as bytes on the disk; empty if nothing does. */
  desk(key: string): string {
    const path = join(this.dir, 'desk', `${key}.json`);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Keeps bytes beside a log; returns the name they have there. */
  blob(id: string, bytes: Buffer | string): string {
    const sha = shaOf(bytes);
    mkdirSync(this.path(id, 'blobs'), { recursive: true });
    writeFileSync(this.path(id, 'blobs', sha), bytes);
    return sha;
  }

  path(id: string, ...parts: string[]): string {
    return join(this.dir, 'sessions', id, ...parts);
  }

  log(id: string): Buffer {
    return readFileSync(this.path(id, 'session.jsonl'));
  }

  metadata(id: string): Metadata {
    return JSON.parse(readFileSync(this.path(id, 'metadata.json'), 'utf8')) as Metadata;
  }

  ids(shelf: 'sessions' | 'trash' = 'sessions'): string[] {
    const dir = join(this.dir, shelf);
    return existsSync(dir) ? readdirSync(dir).sort() : [];
  }

  config(yaml: string): void {
    writeFileSync(join(this.dir, 'config.yaml'), yaml);
  }

  run(args: string[], input = ''): Promise<unknown> {
    return run(this.dir, args, input);
  }

  remove(): void {
    for (const suffix of ['', '.cache', '.user']) rmSync(this.dir + suffix, { recursive: true, force: true });
  }
}

export function shaOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
