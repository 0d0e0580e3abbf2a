import type { MessageImage, ToolCall } from '../backend';
import { parseExactly } from '../json/exact';
import type { CallBlock, TextBlock } from '../transcript/record';
import type { RecordRow } from '../transcript/rows';
import { Run } from './run.svelte';

/** A call as it is shown, and how it runs. */
interface LiveCall {
  call: CallBlock;
  run: Run;
}

/** A message that was sent and is not read from the log yet. */
export interface Said {
  kind: 'said';
  key: number;
  text: string;
  images?: readonly MessageImage[];
  seq: number | null;
}

/** An answer that is being written, as far as the log does not hold it. */
export class Answer {
  readonly kind = 'answer';
  text = $state('');
  thinking = $state('');
  calls = $state.raw<readonly LiveCall[]>([]);
  /** The record that holds it, once there is one: nothing is added any more. */
  seq = $state<number | null>(null);

  private newText = '';
  private newThinking = '';

  constructor(readonly key: number) {}

  get isEmpty(): boolean {
    return !this.text && !this.thinking && this.calls.length === 0;
  }

  /** Tokens collect here, and are shown once per frame. */
  push(kind: 'text' | 'thinking', piece: string): void {
    if (kind === 'text') this.newText += piece;
    else this.newThinking += piece;
  }

  /** Shows what came, and says how many characters that were. */
  flush(): number {
    const came = this.newText.length + this.newThinking.length;
    if (came === 0) return 0;
    this.text += this.newText;
    this.thinking += this.newThinking;
    this.newText = this.newThinking = '';
    return came;
  }

  addCall({ id, name, arguments: args }: ToolCall, run = new Run()): void {
    const call: CallBlock = { type: 'toolCall', id, name: name || '?', args: parsed(args) };
    this.calls = [...this.calls, { call, run }];
  }

  /** The call of that id that is not done: a model may use an id twice. */
  runOf(id: string): Run | null {
    return this.calls.find(({ call, run }) => call.id === id && run.state !== 'done')?.run ?? null;
  }
}

function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  try {
    return parseExactly(args);
  } catch {
    return args;
  }
}

/** A result in the form of a row, which cards are made for. */
export function resultRow(text: string, isError: boolean): RecordRow {
  const block: TextBlock = { type: 'text', text, blob: '', bytes: 0 };
  return {
    kind: 'record',
    entry: { index: -1, line: 0, offset: 0, bytes: text.length, state: 'fresh', reason: '' },
    record: { recordType: 'message', role: 'toolResult', content: [block], isError },
    seq: 0,
    notes: [],
  };
}
