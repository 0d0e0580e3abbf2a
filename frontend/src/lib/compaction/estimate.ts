// As backend/tokens counts: a quarter token for each code point, a whole one for each wide one, rounded up.
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2600-\u27bf\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
// Below it nothing is wide, and most text is below it.
const PLAIN = /^[\0-\u10ff]*$/;

/** About how many tokens a text is. */
export function estimate(text: string): number {
  if (PLAIN.test(text)) return Math.ceil(text.length / 4);
  let points = 0;
  for (let at = 0; at < text.length; points++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((points + 3 * wide) / 4);
}
