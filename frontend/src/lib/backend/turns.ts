// The wire types of talking: what is sent, asked and answered.

import type { Problem } from './types';

/** What a conversation is begun with. */
export interface NewSession {
  name?: string;
  model?: string;
  provider?: string;
  /** Where tools work; `cwdMustExist` has it refused unless a folder is there. */
  cwd?: string;
  cwdMustExist?: boolean;
  /** What this window calls the message that it is for: what lies on the desk of it goes along, and asked again it is the same one. */
  first?: string;
}

/** A message to the model, or another try at answering what is there. */
/** An image that lies on the desk, to go with a message. */
export interface KeptImage {
  blob: string;
  mediaType: string;
  bytes: number;
}

/** An image that goes with a message, under the name of the file that it was. */
export interface MessageImage extends KeptImage {
  name?: string;
}

export type SendRequest = ({ text: string; images?: { blob: string; name: string }[] } | { retry: true }) & {
  model?: string;
  provider?: string;
  /** What this window calls the message, and what it is called itself, where it lays on the desk what is on its way. */
  key?: string;
  by?: string;
};

export interface Sent {
  turnId: string;
  queued: boolean;
  seq: number | null;
  ahead: number;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: unknown;
}

/** A call of the answer at hand, as far as it has come. */
export interface Call extends ToolCall {
  state: 'waiting' | 'running' | 'done';
  startedAt: string | null;
  /** The end of what it has printed so far. */
  output: string;
  /** It printed more before that. */
  outputCut: boolean;
  /** What came of it, cut. */
  result: { isError: boolean; text: string } | null;
}

export type TurnState = 'waiting' | 'streaming' | 'retrying' | 'compacting' | 'tools' | 'asking';

/** A call that waits until the user says whether it may run. */
export interface Question {
  callId: string;
  /** Counts the questions of a turn: a model may use an id twice. */
  asked: number;
  tool: string;
  /** What a shell would run, whole; empty for other tools. */
  command: string;
  paths: string[];
  /** What a file would be changed by, in the unified format. */
  diff: string;
  why: string;
  /** What an answer that holds for longer allows; none if there is no such rule. */
  rules: string[];
  /** An event does not hold all of it. */
  cut: boolean;
}

export interface AnswerRequest {
  callId: string;
  asked: number;
  answer: 'once' | 'session' | 'always' | 'no';
  /** For the model, of an answer that is no. */
  reason?: string;
}

/** A rule about what tools may do. */
export interface Rule {
  rule: string;
  effect: 'allow' | 'ask' | 'deny';
}

/** The rules that decide about tool calls in a session: its own, and those that hold where it has none. */
export interface Permissions {
  sessionId: string;
  permissions: Rule[];
  inherited: (Rule & { scope: 'config' | 'default' })[];
  noTools: string | null;
}

/** What taking back the changes of files comes to, or came to. */
/** What is to be taken back: behind one record, and up to another. */
export interface UndoRequest {
  sinceSeq: number;
  untilSeq?: number;
  /** Of what was shown: where it is another by now, nothing is done. */
  state?: string;
  dryRun?: boolean;
}

export interface FileUndo {
  sinceSeq: number;
  state: string;
  files: { path: string; blocked: string | null; diff: string; additions: number | null; deletions: number | null }[];
  /** Commands that a shell ran since: what they changed is outside of this. */
  commands: number;
  committedSeq: number | null;
  problem: Problem | null;
}

export interface Answered {
  callId: string;
  answer: string;
  rules: string[];
  /** Why it holds for less long than was wanted. */
  problem: Problem | null;
}

/** What is being answered, and what waits. `answer` and what is beside it are what the log does not hold yet. */
export interface Turns {
  running: {
    turnId: string;
    n: number;
    state: TurnState;
    text: string;
    answer: string;
    thinking: string;
    toolCalls: Call[];
    /** The record that holds the calls by now: only their results are missing in the log. */
    callsSeq: number | null;
    asking: Question | null;
    /** The request that is made again, with the time that is left until then. */
    retry: { attempt: number; inMs: number; reason: string } | null;
  } | null;
  queued: { turnId: string; text: string; images?: readonly MessageImage[] }[];
  canRetry: boolean;
  /** Another process that is writing to the conversation now. */
  heldBy: { pid: number; host: string; since: string } | null;
  /** The program may not write to this conversation. */
  readOnly: boolean;
  /** Why the model is offered no tools here. */
  noTools: string | null;
}

/** What happens in a turn or in a draft, whose id `turnId` is; `n` counts from 1 within it. */
export interface TurnEvent {
  sessionId: string;
  turnId: string;
  n: number;
  kind: string;
  data: Record<string, unknown>;
}
