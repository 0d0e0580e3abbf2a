/** A piece of a text, and whether it is what was looked for. */
export interface Piece {
  said: string;
  marked: boolean;
}

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** A text in pieces, of which those that match a word are marked. */
export function marks(said: string, words: readonly string[]): Piece[] {
  const low = said.toLowerCase();
  // A letter that grows in lower case moves all that come after it.
  if (low.length !== said.length || words.length === 0) return [{ said, marked: false }];
  const hit = new Uint8Array(said.length);
  for (const word of words) {
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length)) {
      hit.fill(1, at, at + word.length);
    }
  }
  const pieces: Piece[] = [];
  for (let from = 0; from < said.length;) {
    let to = from + 1;
    while (to < said.length && hit[to] === hit[from]) to++;
    pieces.push({ said: said.slice(from, to), marked: hit[from] === 1 });
    from = to;
  }
  return pieces;
}
