import type { Problem, Turns } from '../backend';

/** The model that is to answer from here on, and who serves it. */
export interface Chosen {
  model?: string;
  provider?: string;
}

/** A message that waits behind the turn that runs. */
export type Queued = Turns['queued'][number];

/** Why a message came to nothing, and whether it had gone into the log before that. */
export interface Failure extends Problem {
  sent: boolean;
}

/** What is read out of how an answer goes. */
export type Spoken = 'started' | 'asking' | 'finished' | 'stopped' | 'failed';

/** What talking needs of the conversation around it. */
export interface Hooks {
  /** The log has changed; settles once what it holds now is shown. */
  onRecord: () => Promise<void>;
  /** Something was sent from here. */
  onSent: () => void;
  /** Makes the conversation that a first message is for, which is called that, and has it go on there. */
  begin?: (chosen: Chosen, key: string) => Promise<void>;
}
