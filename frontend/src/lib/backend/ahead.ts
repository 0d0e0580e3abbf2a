import type { Backend, NewsListener } from './backend';

type List = Parameters<Backend['sessions']>;

/** A program that was asked ahead of the window, and what settles once it has answered with all that its first look is made of. */
interface Ahead {
  backend: Backend;
  answered: Promise<unknown>;
}

/**
 * A program that is asked, before the window is there to ask, for what that shows first: its settings, how it looked, and the list, with
 * how that began the last time before it, unless the address names a conversation, which is read before one. Each answer goes to who asks
 * for it first. Its news are heard before anything is read, and told to who listens first: what changes while it is read must not be missed.
 */
export function ahead(backend: Backend, hash: string): Ahead {
  const withList = !hash.startsWith('#/s/');
  const pieces = withList && hash !== '#/new' ? ['view', 'place'] : ['view'];
  const list: List[] = withList ? [[{ archived: true, quick: true }]] : [];
  // First of all the news, and then as the window would.
  const subscribe = heard(backend);
  const config = asked(() => backend.config(), [[]]);
  const deskPiece = asked(
    (key: string) => backend.deskPiece(key),
    pieces.map((key) => [key]),
  );
  const last = withList ? backend.lastList() : Promise.resolve(null);
  const first = list.map(([options]) => afterLast(last, () => backend.sessions(options)));
  const sessions = asked((...[options]: List) => first.pop() ?? backend.sessions(options), list);
  return {
    backend: { ...backend, subscribe, config: config.ask, deskPiece: deskPiece.ask, sessions: sessions.ask },
    // A conversation is asked for by the window itself.
    answered: withList ? Promise.allSettled([...config.answers, ...deskPiece.answers, last]) : Promise.resolve(),
  };
}

/** A question, what is answered to it where it is asked now, and with what that is: who asks so first is given that answer. */
function asked<A extends unknown[], T extends object>(
  question: (...given: A) => T,
  now: A[],
): { ask: (...given: A) => T; answers: T[] } {
  const answers = new Map(now.map((given) => [JSON.stringify(given), question(...given)]));
  // That it failed is told to who asks.
  for (const answer of answers.values()) if (answer instanceof Promise) answer.catch(() => undefined);
  const ask = (...given: A) => {
    const key = JSON.stringify(given);
    const answer = answers.get(key);
    answers.delete(key);
    return answer ?? question(...given);
  };
  return { ask, answers: [...answers.values()] };
}

/** A list of which the first part is asked for now, and not only once somebody reads it. */
function begun<T>(list: AsyncIterable<T>): AsyncIterable<T> {
  const parts = list[Symbol.asyncIterator]();
  const first = parts.next();
  first.catch(() => undefined);
  return (async function* () {
    for (let part = await first; !part.done; part = await parts.next()) yield part.value;
  })();
}

// A window that nobody sees is not drawn.
const UNSEEN_MS = 100;

/** Settles once what was shown is drawn. */
const drawn = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNSEEN_MS);
  });

/**
 * A list after how it began the last time, for which nothing has to be looked for: the list itself is asked for once that is shown, for
 * the program takes all the machine for it. Where nothing is known of the last time it is asked for at once.
 */
function afterLast<T>(last: Promise<T | null>, list: () => AsyncIterable<T>): AsyncIterable<T> {
  const early = last.catch(() => null).then((part) => ({ part, parts: part ? list() : begun(list()) }));
  return (async function* () {
    const { part, parts } = await early;
    if (part) {
      yield part;
      await drawn();
    }
    yield* parts;
  })();
}

/** News from now on: who listens first is told what came before. */
function heard(backend: Backend): Backend['subscribe'] {
  let taken = false;
  let before: ((listener: NewsListener) => void)[] | null = [];
  let tell = (piece: (listener: NewsListener) => void) => void before?.push(piece);
  const stop = backend.subscribe({
    onNews: (news) => {
      tell((listener) => {
        listener.onNews(news);
      });
    },
    onTurn: (event) => {
      tell((listener) => {
        listener.onTurn(event);
      });
    },
    onGap: () => {
      tell((listener) => {
        listener.onGap();
      });
    },
    onConnection: (answers) => {
      tell((listener) => {
        listener.onConnection(answers);
      });
    },
    onUnauthorised: () => {
      tell((listener) => {
        listener.onUnauthorised();
      });
    },
  });
  return (listener) => {
    if (taken) return backend.subscribe(listener);
    taken = true;
    // Not before it has asked for all that it shows: else it would take an answer of before for newer than what it was told.
    queueMicrotask(() => {
      tell = (piece) => {
        piece(listener);
      };
      before?.forEach(tell);
      before = null;
    });
    return stop;
  };
}
