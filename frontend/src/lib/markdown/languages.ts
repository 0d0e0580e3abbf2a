import { known } from '../known';

const EXTENSIONS: Record<string, string> = {
  bash: 'bash',
  cjs: 'javascript',
  css: 'css',
  diff: 'diff',
  go: 'go',
  htm: 'xml',
  html: 'xml',
  js: 'javascript',
  json: 'json',
  jsx: 'javascript',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  py: 'python',
  pyi: 'python',
  rs: 'rust',
  scss: 'css',
  sh: 'bash',
  sql: 'sql',
  svelte: 'xml',
  svg: 'xml',
  toml: 'yaml',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zsh: 'bash',
};

/** The language that the name of a file suggests; empty if none is known. */
export function languageOf(path: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return known(EXTENSIONS, extension) ?? '';
}

/** The language that the first line of a fence names. */
export function languageIn(info: string): string {
  return /^[\w+#-]{1,30}/.exec(info.trim())?.[0] ?? '';
}
