// The page starts in a window that may be opened many times a day: its code and styles stay small.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 350 * 1024;
const folder = new URL('../dist/assets/', import.meta.url);

let total = 0;
for (const name of readdirSync(folder)) {
  if (/\.(js|css)$/.test(name)) total += gzipSync(readFileSync(new URL(name, folder))).length;
}

const page = readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');
const inline = [...page.matchAll(/<script\b([^>]*)>/g)].filter((m) => !m[1]?.includes('src='));

process.stdout.write(`scripts and styles: ${(total / 1024).toFixed(1)} KB gzip of ${LIMIT / 1024} KB\n`);
if (total > LIMIT) throw new Error('the bundle is over its budget');
if (inline.length > 0) throw new Error("the page has an inline script, which the page's policy refuses");
