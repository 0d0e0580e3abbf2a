// eslint-disable-next-line no-control-regex
const COLOUR = /\u001b\[[0-9;:]*m/g;

/**
 * Output of a tool without a terminal's colours, which say nothing here. Only colours go: a sequence that moves the
 * cursor or erases may hide text, so it stays, and is made visible with the other control characters.
 */
export function withoutColours(output: string): string {
  return output.replace(COLOUR, '');
}
