const KEY = 'palimpsest.unsent';
const MAX = 200_000;

/** What was written and not sent, by conversation, for as long as the window is open. */
export class Unsent {
  private readonly texts: Map<string, string>;

  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem'> = sessionStorage) {
    this.texts = new Map(read(storage));
  }

  get(id: string): string {
    return this.texts.get(id) ?? '';
  }

  set(id: string, text: string): void {
    if (text === this.get(id)) return;
    if (text) this.texts.set(id, text);
    else this.texts.delete(id);
    const kept = [...this.texts].filter(([, one]) => one.length <= MAX);
    try {
      this.storage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Full, or not allowed: it is still here until the page is loaded again.
    }
  }
}

function read(storage: Pick<Storage, 'getItem'>): [string, string][] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter((one): one is [string, string] => Array.isArray(one) && one.every((s) => typeof s === 'string'));
  } catch {
    return [];
  }
}
