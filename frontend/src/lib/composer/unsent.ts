import type { Desk } from '../desk/desk';
import { filesIn, type TextFile } from './file';

/** The key under which text that was not sent to a conversation lies on the desk; that of one that is yet to begin has none. */
const keyOf = (id: string | null) => (id === null ? 'unsent' : `unsent.${id}`);

const filesKeyOf = (id: string | null) => (id === null ? 'attached' : `attached.${id}`);

/** What was written and not sent, by conversation: it outlasts the window, and is the same in every window. */
export class Unsent {
  constructor(private readonly desk: Pick<Desk, 'follow' | 'lay'>) {}

  /** Tells what was written to a conversation, now and whenever it is written in another window. */
  follow(id: string | null, onFound: (text: string) => void): () => void {
    return this.desk.follow(keyOf(id), (value) => {
      onFound(typeof value === 'string' ? value : '');
    });
  }

  /** Tells of messages that were sent and came back, which the program laid there. */
  followReturned(id: string, onFound: (texts: readonly string[]) => void): () => void {
    return this.desk.follow(`returned.${id}`, (value) => {
      const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
      if (texts.length > 0) onFound(texts);
    });
  }

  /** They stand in the field now. */
  tookReturned(id: string): void {
    this.desk.lay(`returned.${id}`, null);
  }

  /** Tells which files are to go with it, now and whenever another window attached some. */
  followFiles(id: string | null, onFound: (files: TextFile[]) => void): () => void {
    return this.desk.follow(filesKeyOf(id), (value) => {
      onFound(filesIn(value));
    });
  }

  setFiles(id: string | null, files: readonly TextFile[]): void {
    this.desk.lay(filesKeyOf(id), files.length > 0 ? files : null);
  }

  set(id: string | null, text: string): void {
    this.desk.lay(keyOf(id), text || null);
  }
}
