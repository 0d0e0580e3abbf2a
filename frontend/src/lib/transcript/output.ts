/**
 * What a tool gave back, out of a text that has it as JSON beside how that ended, as older versions of Codex wrote it: as the program reads it
 * (record.Output). Any other text is as it is.
 */
export function outputOf(text: string): string {
  if (!text.startsWith('{"output":')) return text;
  try {
    const { output, metadata } = JSON.parse(text) as { output: unknown; metadata?: { exit_code?: unknown } | null };
    return typeof output === 'string' && metadata?.exit_code !== undefined ? output : text;
  } catch {
    return text;
  }
}
