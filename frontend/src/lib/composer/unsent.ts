import type { Desk } from '../desk/desk';
import type { MessageImage } from '../backend';
import { str } from '../transcript/record';
import { filesIn, isPicture, type Attachment } from './file';
import { imagesIn, type ImageFile } from './image';

/** A message that came back. */
export interface Returned {
  text: string;
  images: readonly MessageImage[];
}

/** A message that is on its way, and the window that sends it. */
export interface Sending {
  by: string;
  text: string;
  /** What that window calls the message: once it is taken, the program hands out no piece in which it is still on its way. */
  key: string;
}

/** What lies on the desk of one conversation: what stands in the field, and what left it and is not taken yet. */
export interface Lying {
  text: string;
  sending: readonly Sending[];
}

/** The same of the files: those that go with the next message, and the images of messages on their way. */
export interface LyingFiles {
  files: readonly Attachment[];
  sending: readonly { by: string; key: string; image: ImageFile }[];
}

/** The key under which text that was not sent to a conversation lies on the desk; that of one that is yet to begin has none. */
const keyOf = (id: string | null) => (id === null ? 'unsent' : `unsent.${id}`);

const filesKeyOf = (id: string | null) => (id === null ? 'attached' : `attached.${id}`);

/** What was written and not sent, by conversation: it outlasts the window, and is the same in every window. */
export class Unsent {
  constructor(private readonly desk: Pick<Desk, 'by' | 'follow' | 'lay' | 'laid'>) {}

  /** What this window is called where it sends something. */
  get by(): string {
    return this.desk.by;
  }

  /** Tells what was written to a conversation, now and whenever it is written in another window. */
  follow(id: string | null, onFound: (lying: Lying) => void): () => void {
    return this.desk.follow(keyOf(id), (value) => {
      onFound(lyingIn(value));
    });
  }

  /** Tells of messages that were sent and came back, which the program laid there. */
  followReturned(id: string, onFound: (messages: readonly Returned[]) => void): () => void {
    return this.desk.follow(`returned.${id}`, (value) => {
      const messages = Array.isArray(value) ? value.map(returned) : [];
      if (messages.length > 0) onFound(messages);
    });
  }

  /** They stand in the field now. */
  tookReturned(id: string): void {
    this.desk.lay(`returned.${id}`, null);
  }

  /** Tells which files are to go with it, now and whenever another window attached some. */
  followFiles(id: string | null, onFound: (lying: LyingFiles) => void): () => void {
    return this.desk.follow(filesKeyOf(id), (value) => {
      onFound(lyingFilesIn(value));
    });
  }

  setFiles(id: string | null, { files, sending }: LyingFiles): void {
    const all = [...sending.map(({ by, key, image }) => ({ ...image, by, key })), ...files];
    this.desk.lay(filesKeyOf(id), all.length > 0 ? all : null);
  }

  set(id: string | null, { text, sending }: Lying): void {
    this.desk.lay(keyOf(id), sending.length > 0 ? { text, sending } : text || null);
  }

  /** Tells what is written as the reason of a no, now and whenever another window writes there. */
  followReason(id: string, onFound: (text: string) => void): () => void {
    return this.desk.follow(`reason.${id}`, (value) => {
      onFound(str(value));
    });
  }

  setReason(id: string, text: string): void {
    this.desk.lay(`reason.${id}`, text || null);
  }

  /** Lays down now what was set; settles with why that could not be, or with null once it lies there. */
  async laid(id: string | null): Promise<unknown> {
    const [text, files] = await Promise.all([this.desk.laid(keyOf(id)), this.desk.laid(filesKeyOf(id))]);
    return text ?? files;
  }
}

/** Where nothing is on its way, what was written is all that lies there. */
function lyingIn(value: unknown): Lying {
  if (typeof value === 'string') return { text: value, sending: [] };
  const { text, sending } = (value ?? {}) as Record<string, unknown>;
  const messages = Array.isArray(sending) ? (sending as (Record<string, unknown> | null)[]) : [];
  return {
    text: str(text),
    sending: messages.map((one) => ({ by: str(one?.by), text: str(one?.text), key: str(one?.key) })),
  };
}

/** A message of which nothing but the text is there is that text. */
function returned(value: unknown): Returned {
  if (typeof value === 'string') return { text: value, images: [] };
  const { text, images } = (value ?? {}) as Record<string, unknown>;
  return { text: str(text), images: imagesIn(images) };
}

/** A file that is on its way has the window that sends it. */
function lyingFilesIn(value: unknown): LyingFiles {
  const all = Array.isArray(value) ? (value as ({ by?: unknown; key?: unknown } | null)[]) : [];
  const sending = all.flatMap((one) => {
    const by = str(one?.by);
    return by
      ? filesIn([one])
          .filter(isPicture)
          .map((image) => ({ by, key: str(one?.key), image }))
      : [];
  });
  return { files: filesIn(all.filter((one) => !str(one?.by))), sending };
}
