// The wire types of docs/http.md. What is not known is null; arrays are never null.

export interface Session {
  id: string;
  name: string | null;
  createdAt: string;
  lastMessageAt: string;
  model: string;
  messageCount: number | null;
  compactions: number | null;
  source: string;
  cronJobId?: string;
  cwd: string | null;
  key: string | null;
  agent?: string | null;
  createdBy?: string | null;
  parentSessionId?: string;
  forkedAtSeq?: number;
  archivedAt: string | null;
  firstMessage: string | null;
  /** What tools did to files. */
  summary?: { additions: number; deletions: number; files: number } | null;
  /** What all of its requests used. */
  metrics?: Metrics | null;
  /** For how long somebody was at it. */
  activeSeconds?: number | null;
  /** It belongs to another agent: it can be read, and not changed. */
  foreign: boolean;
  /** The session it came from, and how. */
  parent?: string | null;
  relation?: 'fork' | 'subagent' | 'continuation' | null;
  /** How many sub-agents it has started; lists leave them out. */
  children?: number;
  /** When a copy of another agent's session was kept, and whether that is all there is. */
  keptAt?: string | null;
  fromCopy?: boolean;
  /** Why it can't be read. */
  problem?: string | null;
  /** What it was read from is not there any more. */
  gone?: boolean;
  path: string;
}

/** A sub-agent's session, and the tool call that started it, where that is known. */
export interface Child extends Session {
  call: { seq: number; id: string } | null;
}

/** What a session took: null where no answer told. */
export interface Metrics {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  total: number | null;
  contextTokens: number | null;
  cost: number | null;
  compactions: number;
  turns: number;
}

export type View = 'all' | 'model';

/** How a line of the log stands to what the model sees now, or saw at a moment. */
export type State =
  | 'kept'
  | 'fresh'
  | 'pruned'
  | 'superseded'
  | 'dropped'
  | 'offPath'
  | 'inForce'
  | 'folded'
  | 'reverted'
  | 'meta'
  | 'newer'
  /** Not there yet at the moment that is looked at. */
  | 'later';

/** A line of the log as JSON. Nothing in it is trusted: `lib/transcript/record.ts` reads it. */
export type RawRecord = Record<string, unknown>;

export interface Entry {
  index: number;
  line: number;
  offset: number;
  bytes: number;
  state: State;
  reason: string;
}

export interface Damage {
  index: number;
  offset: number;
  line: number;
  kind: 'torn' | 'corrupt' | 'gap' | 'order';
  reason: string;
}

/** A record from which on the conversation goes on from another place, the line at `from`; see docs/http.md. */
export interface Branch {
  index: number;
  from: number;
  messages: number;
  left: number;
}

/** What is asked of a log, in positions of a view; its states as of a record, or, with 0, of now. */
export interface PageRange {
  index: number;
  limit: number;
  view: View;
  asOf?: number;
}

export interface Page {
  sessionId: string;
  first: number;
  count: number;
  total: number;
  next: number | null;
  records: RawRecord[];
  entries: Entry[];
  damage: Damage[];
  truncated: boolean;
}

/** How much of a session has been read, of how much there is, in bytes; `problem` says why no more of it can be. */
export interface Part {
  bytesRead: number;
  bytesTotal: number;
  problem: Problem | null;
}

/** The end of a transcript, as it can be told at once: of all of it, or of an excerpt, whose positions count within that. */
export interface Opening extends Page {
  excerpt: Part | null;
}

export interface CompactionInfo {
  seq: number;
  index: number;
  timestamp: string;
  firstKeptSeq: number;
  tokensBefore: number | null;
  tokensAfter: number | null;
  model: string | null;
  trigger: string | null;
  edited: boolean;
  /** How many it took out of the context; null where that is not told. */
  messages: number | null;
  readFiles: number;
  modifiedFiles: number;
  state: 'inForce' | 'folded' | 'reverted' | 'offPath';
  /** The revert that took it back, if that can be taken back in turn. */
  revertedBy: number | null;
}

export interface Outline {
  sessionId: string;
  total: number;
  modelTotal: number;
  bytes: number;
  messages: number;
  records: number;
  newer: number;
  compactions: CompactionInfo[];
  branches: Branch[];
  damage: Damage[];
}

export interface FindOptions {
  query: string;
  /** The line to look from. */
  from: number;
  /** How many lines at most. */
  limit: number;
  matchCase: boolean;
}

/** Lines that contain what is looked for, and where to look on: null at the end of the log. */
export interface Finds {
  query: string;
  matches: { index: number; seq: number; count: number; excerpt: { before: string; match: string; after: string } }[];
  next: number | null;
  total: number;
}

export interface Prompt {
  index: number;
  seq: number;
  timestamp: string | null;
  bytes: number;
  /** Its first line; empty where it has no text, or is too long to be read for it. */
  text: string;
}

/** Where among the prompts of a session to begin: at the n-th, at a line, or in front of one. */
export type PromptRange = { limit: number } & ({ first: number } | { from: number } | { before: number });

export interface Prompts {
  sessionId: string;
  first: number;
  total: number;
  prompts: Prompt[];
}

export interface Context {
  sessionId: string;
  at: number | null;
  tokens: {
    estimate: number;
    calibrated: number;
    reported: number | null;
    window: number;
    reserve: number;
    clamped: boolean;
  };
  parts: { injected: number; summary: number; kept: number; fresh: number };
  model: string | null;
  compactionSeq: number | null;
  repairs: { seq: number; reason: string }[];
}

/** The size of the context as of a record. */
export interface SizePoint {
  index: number;
  seq: number;
  tokens: number;
}

/** How large the context was over a session, oldest first; `complete` is false where time ran out. */
export interface Sizes {
  sessionId: string;
  window: number;
  complete: boolean;
  points: SizePoint[];
  compactions: { index: number; seq: number; before: number | null; after: number | null }[];
}

export interface Config {
  theme: 'system' | 'light' | 'dark';
  model: string;
  baseUrl: string;
  /** Whether the desktop is to say what happens while the window is not in front. */
  notifications: boolean;
  /** Where the settings are. */
  path: string;
  problems: string[];
  home: string;
  /** The program may not write to its home: everything can be read, nothing changed. */
  readOnly: boolean;
  version: string;
}

export interface News {
  sessionId: string | null;
  n: number;
  kind: string;
  /** Of news of the desk: which piece, and who laid it there. */
  piece?: { key: string; by: string };
  /** Of news of a reading: how far it is. */
  part?: Pick<Part, 'bytesRead' | 'bytesTotal'>;
}

/** What a conversation is begun with. */
export interface NewSession {
  name?: string;
  model?: string;
  provider?: string;
  /** Where tools work; `cwdMustExist` has it refused unless a folder is there. */
  cwd?: string;
  cwdMustExist?: boolean;
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

export interface Problem {
  code: string;
  message: string;
  hint: string;
}

/** The server that is connected, if one is, and the models it offers. */
export interface ModelList {
  /** Its name in the settings; null for the one without. */
  provider: string | null;
  baseUrl: string;
  model: string;
  hasKey: boolean;
  keyFrom: KeyFrom;
  /** The provider that new conversations are asked at. */
  inUse: string | null;
  providers: Provider[];
  /** The server without a name, which is chosen as `default`; null if no address is set for it. */
  default: Provider | null;
  models: Model[];
  error: Problem | null;
}

/** Where a key is; the key itself never comes back. */
export type KeyFrom = 'env' | 'keychain' | null;

/** A server that has a name in the settings. */
export interface Provider {
  name: string;
  baseUrl: string;
  model: string;
  window: number | null;
  hasKey: boolean;
  keyFrom: KeyFrom;
}

export interface Model {
  id: string;
  window: number | null;
  windowFrom: 'config' | 'server' | 'catalog' | null;
  maxOutput: number | null;
  /** In US dollars per million tokens. */
  prices: { input: number; output: number; cacheRead: number; cacheWrite: number } | null;
}

/** A provider as it is to be. */
export interface NewProvider {
  name: string;
  baseUrl: string;
  model: string;
  window: number;
}

/** The server that a key is for: by its name, null for the one without, and by the address that was shown. */
export interface KeyPlace {
  provider: string | null;
  baseUrl: string;
}

export interface LocalServer {
  name: string;
  baseUrl: string;
  models: string[];
}

/** What happens in a turn or in a draft, whose id `turnId` is; `n` counts from 1 within it. */
export interface TurnEvent {
  sessionId: string;
  turnId: string;
  n: number;
  kind: string;
  data: Record<string, unknown>;
}

/** What is made of one thing that the files of another agent may hold. */
export interface Capability {
  what: string;
  how: 'shown' | 'inferred' | 'missing';
  note?: string;
}

/** Another agent whose sessions can be read. */
export interface Agent {
  name: string;
  roots: string[];
  count: number;
  problem: string | null;
  capabilities: Capability[];
}
