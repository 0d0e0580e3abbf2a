const PLACE = /^#\/s\/([0-9A-HJKMNP-TV-Z]{26})(?:\/(\d{1,15}))?$/;

export interface Place {
  session: string | null;
  seq: number | null;
}

export function placeOf(hash: string): Place {
  const match = PLACE.exec(hash);
  return { session: match?.[1] ?? null, seq: match?.[2] ? Number(match[2]) : null };
}

export function hashOf(session: string, seq?: number): string {
  return seq === undefined ? `#/s/${session}` : `#/s/${session}/${seq}`;
}

/** What is open, kept in the address, so that a reload and the way back find it again. */
export class Route {
  session = $state<string | null>(null);

  constructor(private readonly onPlace: (place: Place) => void) {}

  start(): () => void {
    const read = () => {
      const place = placeOf(location.hash);
      this.session = place.session;
      this.onPlace(place);
    };
    window.addEventListener('hashchange', read);
    read();
    return () => {
      window.removeEventListener('hashchange', read);
    };
  }

  go(session: string | null, seq?: number): void {
    location.hash = session ? hashOf(session, seq) : '#/';
  }
}
