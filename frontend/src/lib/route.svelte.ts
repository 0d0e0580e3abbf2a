import { askedOf, hashOfSearch, type Asked } from './search/asked';

const PLACE =
  /^#\/s\/([0-9A-HJKMNP-TV-Z]{26}|[a-z]+(?:%3[Aa]|:)[^/]{1,1500})(?:\/(?:(\d{1,15})|(compact)|compaction\/(\d{1,15})(?:\/(\d{1,15}))?))?$/;

/** A compaction to look at: one that was made, beside another if one is named, or one that could be made now. */
export interface ReviewPlace {
  seq: number | null;
  other: number | null;
}

/** A page of its own beside the conversations, and what it was asked to show. */
export interface PagePlace {
  name: 'statistics' | 'ledger';
  filter: Readonly<Record<string, string>>;
}

export interface Place {
  session: string | null;
  seq: number | null;
  review?: ReviewPlace;
  page?: PagePlace;
  /** A conversation that is yet to begin. */
  isNew?: true;
  /** A search of everything, over whatever is open. */
  search?: Asked;
}

export const NEW = '#/new';
/** What is noted with an address that was gone to from within the window. */
const FROM_HERE = { search: true };
const PAGE = /^#\/(statistics|ledger)(?:\?(.{0,4000}))?$/;

function pageOf(hash: string): PagePlace | null {
  const [, name, filter = ''] = PAGE.exec(hash) ?? [];
  if (name !== 'statistics' && name !== 'ledger') return null;
  return { name, filter: Object.fromEntries(new URLSearchParams(filter)) };
}

/** The address of a page, with what it is asked to show: only what says something. */
export function hashOfPage(name: PagePlace['name'], filter: Readonly<Record<string, string | number>> = {}): string {
  const some = Object.entries(filter).flatMap(([key, value]) => (value ? [[key, String(value)]] : []));
  return `#/${name}${some.length > 0 ? `?${new URLSearchParams(some)}` : ''}`;
}

export function placeOf(hash: string): Place {
  const search = askedOf(hash);
  if (search) return { session: null, seq: null, search };
  const [, session = null, seq, compact, past, other] = PLACE.exec(hash) ?? [];
  const page = pageOf(hash);
  const number = (digits: string | undefined) => (digits ? Number(digits) : null);
  return {
    session: session && decoded(session),
    seq: number(seq),
    ...(page ? { page } : {}),
    ...(hash === NEW ? { isNew: true as const } : {}),
    ...(compact || past ? { review: { seq: number(past), other: number(other) } } : {}),
  };
}

/** The id that an address names; null for one that nobody can have written. */
function decoded(session: string): string | null {
  try {
    return decodeURIComponent(session);
  } catch {
    return null;
  }
}

export function hashOfReview(session: string, seq: number | null = null, other: number | null = null): string {
  const at = encodeURIComponent(session);
  if (seq === null) return `#/s/${at}/compact`;
  return `#/s/${at}/compaction/${seq}${other === null ? '' : `/${other}`}`;
}

export function hashOf(session: string, seq?: number): string {
  const at = encodeURIComponent(session);
  return seq === undefined ? `#/s/${at}` : `#/s/${at}/${seq}`;
}

/** What is open, kept in the address, so that a reload and the way back find it again. */
export class Route {
  session = $state<string | null>(null);
  private backCloses = false;
  /**
   * The way back is being gone, which the browser does in its own time, and would do from an address that it is given until then. So
   * what changes the address meanwhile waits for it, in this order.
   */
  private waiting: { hash: string; make: () => void }[] | null = null;
  /** Where the way back begins. */
  private left = '';
  /** The address that was read last, or is left as it is; none on the way back. */
  private known: string | null = null;

  constructor(private readonly onPlace: (place: Place) => void) {}

  start(): () => void {
    const arrived = () => {
      const { waiting } = this;
      this.waiting = null;
      for (const { make } of waiting ?? []) make();
      this.show(location.hash);
    };
    // How one came to the address that is left may be told only now.
    const changed = () => {
      if (!this.waiting || location.hash !== this.left) arrived();
    };
    // Told of also where both addresses are the same one. Not told of where the way back is called off for an address from outside.
    const cameBack = () => {
      if (this.waiting) arrived();
    };
    window.addEventListener('popstate', cameBack);
    window.addEventListener('hashchange', changed);
    this.read(location.hash);
    return () => {
      window.removeEventListener('popstate', cameBack);
      window.removeEventListener('hashchange', changed);
    };
  }

  go(session: string | null, seq?: number): void {
    this.to(session ? hashOf(session, seq) : '#/');
  }

  /** Goes to an address at once: its news comes later, and what is typed until then would be meant for what is left. */
  to(hash: string, noted: object | null = null): void {
    this.change(hash, () => {
      // What is noted says that there is a way back: to the address that it has already there is none.
      if (location.hash === hash) return;
      location.hash = hash;
      if (noted) history.replaceState(noted, '');
    });
    this.show(hash);
  }

  /** Opens a review over the conversation; the way back closes it. */
  review(session: string, seq: number | null = null): void {
    this.backCloses = true;
    this.to(hashOfReview(session, seq));
  }

  /** Opens a search over what is open; the way back closes it. */
  search(asked: Asked): void {
    this.to(hashOfSearch(asked), FROM_HERE);
  }

  /** Something else is looked for: the address tells, and the way back is what it was. */
  searches(asked: Asked): void {
    this.note(hashOfSearch(asked), () => history.state as unknown);
  }

  /** The address tells of something else, and nothing is gone to. */
  note(hash: string, noted: () => unknown = () => null): void {
    this.change(hash, () => {
      history.replaceState(noted(), '', hash);
    });
    this.known = hash;
  }

  /** From a search back to what lies under it. */
  leaveSearch(): void {
    const { search = false } = (history.state ?? {}) as Partial<typeof FROM_HERE>;
    if (this.waiting) this.dropSearch(this.waiting);
    else if (search) this.back();
    else this.replace(this.session ? hashOf(this.session) : '#/');
  }

  /** Goes to an address in place of this one, which the way back then leaves out: at once, as {@link to} does. */
  replace(hash: string): void {
    this.backCloses &&= placeOf(hash).review !== undefined;
    this.change(hash, () => {
      location.replace(hash);
    });
    this.show(hash);
  }

  /** From a review back to its conversation. */
  leaveReview(session: string): void {
    if (this.backCloses && !this.waiting) this.back();
    else this.replace(hashOf(session));
    this.backCloses = false;
  }

  private back(): void {
    this.waiting = [];
    this.left = location.hash;
    // Left, it is gone to again like any other.
    this.known = null;
    history.back();
  }

  private change(hash: string, make: () => void): void {
    if (this.waiting) this.waiting.push({ hash, make });
    else make();
  }

  /** A search that waits for the way back need not be gone to any more: what comes before it, or that way, leads to what lies under it. */
  private dropSearch(waiting: { hash: string }[]): void {
    while (askedOf(waiting.at(-1)?.hash ?? '')) waiting.pop();
    this.known = waiting.at(-1)?.hash ?? null;
  }

  private show(hash: string): void {
    if (hash !== this.known) this.read(hash);
  }

  private read(hash: string): void {
    this.known = hash;
    const place = placeOf(hash);
    // A search lies over what is open.
    if (!place.search) this.session = place.session;
    this.onPlace(place);
  }
}
