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
import type { Colouring } from './colouring';

const LANGUAGES = { bash, css, diff, go, javascript, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(['svelte', 'vue'], { languageName: 'xml' });

const TOKEN = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const ENTITY = /&(?:[a-z]+|#x?[0-9a-f]+);/gi;

/** How a piece of code is coloured; null where the language is not known. */
export function highlight(code: string, language: string): Colouring | null {
  const name = language.toLowerCase();
  if (!hljs.getLanguage(name)) return null;
  const { value } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return Array.from(value.matchAll(TOKEN), ([token, classes]) => {
    if (classes !== undefined) return classes;
    return token === '</span>' ? 0 : token.replace(ENTITY, '_').length;
  });
}
