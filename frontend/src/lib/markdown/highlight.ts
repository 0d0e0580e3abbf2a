import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { known } from '../known';
import { escapeHtml } from './escape';

const LANGUAGES = { bash, css, diff, go, javascript, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(['svelte', 'vue'], { languageName: 'xml' });

// Beyond this, colour costs a frame and helps nobody. The rules of some languages read a long line, or a long stretch
// of white space, again from each of its characters.
const MAX_BYTES = 20 * 1024;
const MAX_LINES = 800;
const MAX_LINE = 1000;
const MANY_BLANKS = /\s{200}/;

/** Whether a text is small enough to be coloured. */
export function isColourable(code: string): boolean {
  if (code.length > MAX_BYTES || MANY_BLANKS.test(code)) return false;
  const lines = code.split('\n');
  return lines.length <= MAX_LINES && lines.every((line) => line.length <= MAX_LINE);
}

/** HTML of a piece of code; escaped and uncoloured where the language is unknown or the code is long. */
export function highlight(code: string, language: string): string {
  const name = language.toLowerCase();
  if (!hljs.getLanguage(name) || !isColourable(code)) return escapeHtml(code);
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
}

const EXTENSIONS: Record<string, string> = {
  cjs: 'javascript',
  htm: 'xml',
  html: 'xml',
  mjs: 'javascript',
  mts: 'typescript',
  pyi: 'python',
  scss: 'css',
  toml: 'yaml',
  zsh: 'bash',
};

/** The language that the name of a file suggests; empty if none is known. */
export function languageOf(path: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const name = known(EXTENSIONS, extension) ?? extension;
  return hljs.getLanguage(name) ? name : '';
}
