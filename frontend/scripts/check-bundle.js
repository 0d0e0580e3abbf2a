// The page starts in a window that may be opened many times a day: its code and styles stay small, and what is read of them before
// anything shows smaller still.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 350 * 1024;
// Not packed: to read a script takes the time that its length does.
const FIRST = 450 * 1024;
const folder = new URL('../dist/assets/', import.meta.url);
const page = readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');

let total = 0;
for (const name of readdirSync(folder)) {
  if (/\.(js|css)$/.test(name)) total += gzipSync(readFileSync(new URL(name, folder))).length;
}

/** The scripts that the page names, and all that these can't be without. */
const first = new Set([...page.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name));
let script = 0;
let compiled = 0;
for (const name of first) {
  const code = readFileSync(new URL(name, folder), 'utf8');
  script += code.length;
  // Only on the first line does it say so.
  if (code.startsWith('//# allFunctionsCalledOnLoad\n')) compiled++;
  for (const [, next = ''] of code.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) first.add(next);
}

const inline = [...page.matchAll(/<script\b([^>]*)>/g)].filter((m) => !m[1]?.includes('src='));

/** @param {number} bytes */
const kilobytes = (bytes) => (bytes / 1024).toFixed(1);
process.stdout.write(`scripts and styles: ${kilobytes(total)} KB gzip of ${LIMIT / 1024} KB\n`);
process.stdout.write(`scripts before anything shows: ${kilobytes(script)} KB of ${FIRST / 1024} KB\n`);
if (total > LIMIT) throw new Error('the bundle is over its budget');
if (script > FIRST) throw new Error('what is read before anything shows is over its budget');
if (first.size < 2) throw new Error('the page does not name what its first script asks for');
if (compiled !== 1) throw new Error('one of the first scripts is to be compiled while it comes, and only one');
if (inline.length > 0) throw new Error("the page has an inline script, which the page's policy refuses");
