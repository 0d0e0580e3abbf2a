// Longer ones would hold the window up, and nobody reads them through.
const LONGEST = 1_000_000;

/** A text that is JSON, set out to be read; null if it is none, or stands as it would be set out. */
export function jsonOf(content: string): string | null {
  const start = content.trimStart()[0];
  if ((start !== '{' && start !== '[') || content.length > LONGEST) return null;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return null;
  }
  const pretty = JSON.stringify(value, null, 2);
  // Numbers that JavaScript cannot hold would be shown as others.
  if (/\d{16}|\d[eE]/.test(content) && squeezed(pretty) !== squeezed(content)) return null;
  return pretty === content.trim() ? null : pretty;
}

function squeezed(json: string): string {
  return json.replace(/\s+/g, '');
}
