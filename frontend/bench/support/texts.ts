const WORDS =
  'the harbour keeps its lights on while a node of the cluster drains and every timeout is counted in seconds not in hope'.split(
    ' ',
  );

function words(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => WORDS[(from * 7 + i * 3) % WORDS.length]).join(' ');
}

export function go(lines: number): string {
  return Array.from({ length: lines }, (_, i) =>
    i % 5 === 0
      ? `func step${i}(n int) (string, error) { // ${words(i, 4)}`
      : `\treturn fmt.Sprintf("%d", n+${i}), nil`,
  ).join('\n');
}

export function table(rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => `| ${i} | \`node-${i}\` | ${words(i, 3)} | **${i * 3} ms** |`);
  return `| n | node | what | time |\n|---|---|---|---|\n${lines.join('\n')}`;
}

/** Markdown of about so many characters, with a bit of everything that an answer is made of. */
export function prose(size: number): string {
  let text = '';
  for (let n = 1; text.length < size; n++) {
    text += `## Part ${n}: ${words(n, 4)}\n\n${words(n, 50)}. **${words(n, 3)}** and \`code_${n}\`. ${words(n + 1, 40)}.\n\n`;
    text += `- ${words(n, 9)}\n- ${words(n + 1, 12)}, see [the notes](https://notes.example/${n})\n- ${words(n + 2, 7)}\n\n`;
    text += `\`\`\`go\n${go(12)}\n\`\`\`\n\n${words(n, 60)}.\n\n`;
    if (n % 3 === 0) text += `${table(5)}\n\n`;
  }
  return text.slice(0, size);
}

/** A text as a model says it: in pieces of a few characters. */
export function pieces(text: string, count: number): string[] {
  const size = text.length / count;
  return Array.from({ length: count }, (_, i) => text.slice(Math.round(i * size), Math.round((i + 1) * size)));
}
