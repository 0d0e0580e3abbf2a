import type { ExportPlace } from './exporting';
import type { Notices } from './notices';
import type { IndexState, SavedSearch, SearchAnswer, SearchOptions, SessionAnswer, Steering } from './search';
import type { CourseAsked, Ledger, LedgerFilter, Statistics, StatisticsFilter } from './stats';
import type {
  Compacted,
  CompactionReview,
  CompactRequest,
  DraftRequest,
  DraftState,
  Fidelity,
  MeasureRequest,
  PlanOptions,
} from './compaction';
import type {
  Cleaned,
  CleanupRule,
  Forgotten,
  Kept,
  KeptCopy,
  RestoredMany,
  Retention,
  RetentionAsked,
} from './retention';
import type { ListPart } from './parts';
import type { KeyPlace, LocalServer, ModelList, NewProvider, Undo } from './models';
import type {
  AnswerRequest,
  Answered,
  FileUndo,
  KeptImage,
  MessageImage,
  NewSession,
  Permissions,
  Rule,
  SendRequest,
  Sent,
  TurnEvent,
  Turns,
  UndoRequest,
} from './turns';
import type {
  Agent,
  Child,
  Config,
  Context,
  FindOptions,
  Finds,
  MatchOptions,
  News,
  Opening,
  Outline,
  Page,
  PageRange,
  PromptRange,
  Prompts,
  Session,
  Sizes,
} from './types';

/** Part of a record's line, as it is in the file. */
export interface Bytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** The length of the whole line. */
  total: number;
}

export interface NewsListener {
  onNews(news: News): void;
  /** Not counted with the news: who follows a turn or a draft counts for itself. */
  onTurn(event: TurnEvent): void;
  /** News may have been missed: everything shown must be asked for again. */
  onGap(): void;
  /** Whether the program answers; told when that changes. */
  onConnection(answers: boolean): void;
  /** The token is not, or no longer, accepted. */
  onUnauthorised(): void;
}

/**
 * All that the app may ask of the program. There are two of them, one over HTTP and one inside the window;
 * nothing outside this folder knows which one it has.
 */
export interface Backend {
  sessions(options: { archived: boolean; quick: boolean }): AsyncIterable<ListPart<Session>>;
  /** The beginning of the list as it was when it was asked for last, at once; null where none is kept. */
  lastList(): Promise<ListPart<Session> | null>;
  session(id: string): Promise<Session>;
  trash(): Promise<Session[]>;
  /** The sub-agents of a session; `quick`: without the calls that started them. */
  children(id: string, options: { quick: boolean }): Promise<Child[]>;
  statistics(filter: StatisticsFilter, course: CourseAsked): Promise<Statistics>;
  /** A part of all compactions, from a cursor on; null for the first. */
  ledger(filter: LedgerFilter, cursor: string | null): Promise<Ledger>;
  records(id: string, range: PageRange): Promise<Page>;
  recordsFrom(id: string, seq: number, limit: number): Promise<Page>;
  recordBytes(id: string, seq: number, offset: number, limit: number): Promise<Bytes>;
  /** `asOf`, here too, has states be those as of a record; 0 for now. */
  outline(id: string, asOf?: number): Promise<Outline>;
  /** The newest records of a session, at once: of a large one of another agent an excerpt, until all of it was read. */
  opening(id: string, limit: number): Promise<Opening>;
  /** Whoever asked for an opening looks at something else: all of that session is not read for them. */
  leave(id: string): Promise<void>;
  /** Lines that contain a text, as far as a moment's search gets. */
  find(id: string, options: FindOptions, signal?: AbortSignal): Promise<Finds>;
  /** Where an expression fits in each text: where a place starts and where it ends, one after the other. */
  matches(options: MatchOptions, signal?: AbortSignal): Promise<number[][]>;
  /** Looks for a text in every session. */
  search(options: SearchOptions, signal?: AbortSignal): Promise<SearchAnswer>;
  /** All that a search finds in one session. */
  searchIn(id: string, options: SearchOptions, signal?: AbortSignal): Promise<SessionAnswer>;
  savedSearches(): Promise<SavedSearch[]>;
  saveSearches(searches: readonly SavedSearch[]): Promise<SavedSearch[]>;
  /** How far the index is that searches look into. */
  indexState(): Promise<IndexState>;
  steerIndex(action: Steering): Promise<IndexState>;
  prompts(id: string, range: PromptRange): Promise<Prompts>;
  /** What the model sees, by size, or saw as of a record. */
  context(id: string, seq?: number): Promise<Context>;
  sizes(id: string): Promise<Sizes>;
  blob(id: string, sha: string): Promise<Blob>;
  config(): Promise<Config>;
  turns(id: string): Promise<Turns>;
  /** The sessions in which a tool asks. */
  asking(): Promise<string[]>;
  permissions(id: string): Promise<Permissions>;
  /** The other agents whose sessions can be read, and what is read of them. */
  agents(): Promise<Agent[]>;
  /** What they will delete, and what was kept of it. */
  retention(asked: RetentionAsked): Promise<Retention>;
  keptCopies(): Promise<KeptCopy[]>;
  keep(ids: readonly string[]): Promise<Kept[]>;
  /** Removes copies for good, and forgets those whose own files are gone. */
  dropCopies(ids: readonly string[]): Promise<void>;
  /** Forgets sessions whose files are gone: nothing is left of them. */
  forget(ids: readonly string[]): Promise<Forgotten[]>;
  /** Moves old sessions of ours to the trash, or tells which it would move. */
  cleanUp(rule: CleanupRule): Promise<Cleaned>;
  /** What the connected server offers; `refresh` asks it again. */
  models(refresh: boolean, provider?: string): Promise<ModelList>;
  localServers(): Promise<LocalServer[]>;
  /** A compaction that could be made now. */
  plan(id: string, options: PlanOptions): Promise<CompactionReview>;
  /** A compaction as it was made. */
  compactionReview(id: string, seq: number): Promise<CompactionReview>;
  /** What the summary of a compaction that was made keeps; null where that can't be read. */
  fidelity(id: string, seq: number): Promise<Fidelity | null>;
  /** What a summary would keep that is still being edited. */
  measure(id: string, request: MeasureRequest): Promise<Fidelity>;
  draft(id: string, draftId: string): Promise<DraftState>;
  /** What lies on the desk under a key; null if nothing does. */
  deskPiece(key: string): Promise<unknown>;

  rename(id: string, name: string): Promise<Session>;
  archive(id: string): Promise<Session>;
  unarchive(id: string): Promise<Session>;
  moveToTrash(id: string): Promise<void>;
  restore(id: string): Promise<Session>;
  /** Brings back those that can be. */
  restoreMany(ids: readonly string[]): Promise<RestoredMany>;
  /** A copy of the session up to and with `atSeq`; 0 copies all of it. */
  fork(id: string, atSeq: number): Promise<Session>;
  /** A copy of a session of another agent, or the one there is, brought up to date. */
  importSession(id: string): Promise<Session>;
  revert(id: string, seq: number): Promise<{ committedSeq: number }>;
  /** Takes back what tools changed in files behind a record; `dryRun` only shows it. */
  undoFiles(id: string, request: UndoRequest): Promise<FileUndo>;
  setPermissions(id: string, rules: Rule[], base: Rule[]): Promise<Permissions>;
  addSample(): Promise<Session>;
  createSession(request: NewSession): Promise<Session>;
  send(id: string, request: SendRequest): Promise<Sent>;
  /** Whether a message was taken to which no answer came; else it is not any more. */
  giveUp(id: string, key: string): Promise<{ taken: boolean }>;
  /** Withdraws a message that waits, stops the turn that runs. */
  endTurn(id: string, turnId: string): Promise<{ withdrawn: boolean; text: string; images?: readonly MessageImage[] }>;
  /** Answers what a turn asks before it runs a call. */
  answer(id: string, turnId: string, answer: AnswerRequest): Promise<Answered>;
  useModel(baseUrl: string, model: string): Promise<Config>;
  /** A provider of the settings, and a model of it; an empty name is the server without one. */
  useProvider(name: string, model: string): Promise<Config>;
  setProvider(provider: NewProvider): Promise<void>;
  removeProvider(name: string): Promise<Undo | null>;
  /** Keeps a key in the system's keychain; it never comes back here. The answer puts back the one it replaced, if there was one. */
  setKey(place: KeyPlace, key: string): Promise<Undo | null>;
  forgetKey(place: KeyPlace): Promise<Undo | null>;
  /** Puts back what was taken out of the settings, once; false if they had been changed meanwhile, so that not all is as it was. */
  putBack(undo: Undo): Promise<boolean>;
  /** Has a summary written; nothing is committed. How it goes comes as events. */
  startDraft(id: string, request: DraftRequest): Promise<DraftState>;
  cancelDraft(id: string, draftId: string): Promise<void>;
  compact(id: string, request: CompactRequest): Promise<Compacted>;

  /** Lays a piece on the desk, null to take it away. `last`: the page is going. */
  layOnDesk(key: string, value: unknown, by: string, last: boolean): Promise<void>;
  /** Lays an image on the desk; refused where its bytes are none. */
  keepImage(bytes: ArrayBuffer): Promise<KeptImage>;
  deskImage(sha: string): Promise<Blob>;

  openLink(url: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** The address of a place in the app, as someone else can use it. */
  linkTo(hash: string): string;
  /** Returns a function that ends the subscription. */
  subscribe(listener: NewsListener): () => void;
  /** Hears what is chosen from the menus of the system, where there are any. Returns a function that ends it. */
  onCommand?(chosen: (id: unknown) => void): () => void;
  /** Tells the menus of the system which commands can be done now, where there are such menus. */
  offer?(ids: readonly string[]): Promise<void>;
  readonly notices: Notices;
  /** Where so many exported sessions go; null if nothing was chosen. */
  exportPlace(count: number): Promise<ExportPlace | null>;
  /** Has the user choose a folder in a dialog of the system, where there is one; empty if none was chosen. */
  readonly chooseFolder: ((from: string) => Promise<string>) | null;
  /** Whether a token can be given by hand, and how. */
  readonly signIn: ((token: string) => void) | null;
}
