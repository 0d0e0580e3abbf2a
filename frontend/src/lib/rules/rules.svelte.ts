import { asBackendError, type Backend, type BackendError, type Permissions, type Rule } from '../backend';
import { sentence } from '../sentence';
import { later } from '../text/later';

/** A rule as it is being edited. */
export interface Draft extends Rule {
  key: number;
}

let nextKey = 1;
const drafted = (rule: Rule): Draft => ({ ...rule, key: nextKey++ });
const holds = (rules: readonly Rule[], { rule, effect }: Rule) =>
  rules.some((other) => other.rule === rule && other.effect === effect);

/** The rules of a session while somebody edits them: nothing holds before it is saved. */
export class RulesDraft {
  known = $state.raw<Permissions | null>(null);
  rows = $state<Draft[]>([]);
  /** They could not be read. */
  failure = $state.raw<BackendError | null>(null);
  /** What is wrong, and with which row; null if with none of them. */
  wrong = $state.raw<{ key: number | null; message: string } | null>(null);
  saving = $state(false);

  constructor(
    private readonly backend: Pick<Backend, 'permissions' | 'setPermissions'>,
    readonly id: string,
  ) {}

  async load(rowsOf = (now: Rule[]): Draft[] => now.map(drafted)): Promise<void> {
    this.failure = null;
    try {
      this.known = await this.backend.permissions(this.id);
      this.rows = rowsOf(this.known.permissions);
    } catch (cause) {
      this.failure = asBackendError(cause);
    }
  }

  /** Returns the key of the new row. */
  add(): number {
    const key = nextKey++;
    this.rows.push({ rule: '', effect: 'allow', key });
    return key;
  }

  edit(key: number, change: Partial<Rule>): void {
    const row = this.rows.find((one) => one.key === key);
    if (row) Object.assign(row, change);
  }

  remove(key: number): void {
    this.rows = this.rows.filter((row) => row.key !== key);
    if (this.wrong?.key === key) this.wrong = null;
  }

  /** Whether they hold now; what is empty is left out. */
  async save(): Promise<boolean> {
    if (this.saving || !this.known) return false;
    this.saving = true;
    this.wrong = null;
    const rows = this.rows.filter(({ rule }) => rule.trim() !== '');
    try {
      const rules = rows.map(({ rule, effect }) => ({ rule: rule.trim(), effect }));
      this.known = await this.backend.setPermissions(this.id, rules, this.known.permissions);
      return true;
    } catch (cause) {
      const error = asBackendError(cause);
      this.wrong = complaint(error.message, rows);
      if (error.code === 'stale') await this.merge(this.known.permissions);
      return false;
    } finally {
      this.saving = false;
    }
  }

  /** Somebody else has changed them, say an answer to a question: theirs is added, and what was edited here stays. */
  private async merge(base: readonly Rule[]): Promise<void> {
    await this.load((now) => {
      const gone = base.filter((rule) => !holds(now, rule));
      const fresh = now.filter((rule) => !holds(base, rule) && !holds(this.rows, rule));
      return [...this.rows.filter((row) => !holds(gone, row)), ...fresh.map(drafted)];
    });
    if (!this.failure) this.wrong = { key: null, message: later.rules.others };
  }
}

/** The program names the first rule that is none. */
function complaint(message: string, rows: readonly Draft[]): { key: number | null; message: string } {
  const named = /[Rr]ule ("(?:[^"\\]|\\.)*")/.exec(message);
  const row = named && rows.find(({ rule }) => rule.trim() === unquoted(named[1] ?? ''));
  return { key: row?.key ?? null, message: sentence(message.slice(row ? named.index : 0)) };
}

/** A text as the program quotes it, which escapes more than JSON does. */
function unquoted(quoted: string): string {
  const short: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x(..)|u(.{4})|U(.{8})|(.))/g, (_, x?: string, u?: string, long?: string, one = '') => {
      const code = x ?? u ?? long;
      return code === undefined ? (short[one as string] ?? (one as string)) : String.fromCodePoint(parseInt(code, 16));
    });
}
