/** Takes a stream of server-sent events apart; returns the data of each event as it becomes complete. */
export class EventParser {
  private rest = '';
  private data: string[] = [];

  push(chunk: string): string[] {
    const events: string[] = [];
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line === '') {
        if (this.data.length > 0) events.push(this.data.join('\n'));
        this.data = [];
      } else if (line.startsWith('data:')) {
        this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      }
    }
    return events;
  }
}

/** How long to wait before the n-th try again: doubling from half a second to half a minute. */
export function backOff(failures: number): number {
  return Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
}
