/** A first word that may be given a capital: not a command, a path, an address or a name with signs in it. */
const PLAIN = /^(?!palimpsest\b)\p{Ll}[\p{L}’']*(?=[ ,:;.]?(?:\s|$))/u;
const ENDS = /[\p{L}\p{N})”"’%]$/u;
/** A path or an address is copied: nothing may stick to it. */
const PLACE = /[/\\]\S*$/;

/** What the program says, as a sentence: its errors begin small and end in nothing, to be put into others. */
export function sentence(said: string): string {
  const begun = said.replace(PLAIN, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return ENDS.test(begun) && !PLACE.test(begun) ? `${begun}.` : begun;
}
