import type { Draft, DraftRequest, DraftState } from '../backend';
import { summaryText } from '../transcript/record';
import { estimate } from './estimate';

/** A version as it lies on the desk. */
export interface KeptVersion {
  state: DraftState;
  request: DraftRequest;
  text: string;
}

/** A summary as it was drafted, and as it was edited since. */
export class Version {
  text = $state('');

  readonly draft: Draft;
  readonly draftId: string;
  readonly instructions: string;
  readonly cut: number;
  readonly previousSeq: number | null;
  readonly readFiles: number;
  readonly modifiedFiles: number;
  private readonly original: string;
  private readonly base: number;
  private readonly baseText: number;

  constructor(
    private readonly state: DraftState,
    draft: Draft,
    private readonly request: DraftRequest,
  ) {
    const { draftId, plan } = state;
    this.draft = draft;
    this.draftId = draftId;
    this.cut = request.cut ?? plan.cutSeq;
    this.previousSeq = request.previousSeq ?? null;
    this.instructions = request.instructions ?? '';
    this.readFiles = plan.readFiles.length;
    this.modifiedFiles = plan.modifiedFiles.length;
    this.original = summaryText(draft.summary);
    this.baseText = estimate(this.original);
    this.base = plan.tokensAfter ?? this.baseText;
    this.text = this.original;
  }

  get kept(): KeptVersion {
    // What it keeps can be measured again at any time.
    const draft = { ...this.draft, fidelity: null };
    return { state: { ...this.state, text: '', draft }, request: this.request, text: this.text };
  }

  /** A version as it was left, null if what was kept is not one. */
  static from(kept: unknown): Version | null {
    const { state, request, text } = (kept ?? {}) as Partial<KeptVersion>;
    if (!state?.draft || !request || !isDraft(state.draft) || !isPlan(state.plan)) return null;
    const version = new Version(state, { ...state.draft, fidelity: null }, request);
    if (typeof text === 'string') version.text = text;
    return version;
  }

  get edited(): boolean {
    return this.text !== this.original;
  }

  /** Markers and lists of files count too: the program knows by how much. */
  get tokens(): number {
    return this.base + estimate(this.text) - this.baseText;
  }
}

// What lies on the desk may come from another version, or from a person's hand.

function isDraft(draft: unknown): boolean {
  const { summary, model, offline, missingHeadings, notes } = draft as Partial<Draft>;
  return (
    typeof summary === 'string' &&
    (model === null || typeof model === 'string') &&
    typeof offline === 'boolean' &&
    Array.isArray(missingHeadings) &&
    Array.isArray(notes)
  );
}

export function isPlan(plan: unknown): boolean {
  if (typeof plan !== 'object' || plan === null) return false;
  const { cutSeq, readFiles, modifiedFiles } = plan as Partial<DraftState['plan']>;
  return typeof cutSeq === 'number' && Array.isArray(readFiles) && Array.isArray(modifiedFiles);
}
