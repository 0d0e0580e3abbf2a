// Colours, in either form in which a sequence can begin.
// eslint-disable-next-line no-control-regex -- an escape begins with one
const COLOUR = /(?:\u001b\[|\u009b)[0-9;:]*m/g;
// eslint-disable-next-line no-control-regex -- an escape begins with one
const LINK = /(?:\u001b\]|\u009d)8;[^;\u0007\u001b\n]{0,200};([^\u0007\u001b\n]{0,4000})(?:\u0007|\u001b\\|\u009c)/g;

/**
 * Output of a tool without a terminal's colours, which say nothing here, and with the addresses of its links in plain
 * sight. Nothing else goes: a sequence that moves the cursor or erases may hide text, so it stays, and is made visible
 * with the other control characters.
 */
export function readable(output: string): string {
  return withLinks(output.replace(COLOUR, ''));
}

/** Output of a tool with the addresses of its links in plain sight. */
export function withLinks(output: string): string {
  return output.replace(LINK, (_, address: string) => (address ? `⟨${address}⟩ ` : ''));
}
