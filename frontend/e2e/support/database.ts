import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Home } from './home';

/**
 * What OpenClaw keeps in SQLite, compressed: the tables session_windows and transcript_events with two sessions of January 2026, s1 ("the
 * plan of the harbour") and s2 ("of the lighthouse").
 */
const TWO_SESSIONS =
  'H4sIAAAAAAACA+1TwU4CMRBtFzbogQMnPdYeVOJGApzci6LhYOJF0fNa2AILS7u2hQ0xmHDwK/wFv8C7n+G/OLtARDjowYMmTtLJm75p503aaV' +
  'xeBIaTtlQDZkgVWQhjdEIIQsiGlUEfluDsUozR12ajwxbOA7DwNsKP4P6I9a3cVqmEp7ZhzZAbxYRuqSAyHh9xYfTaRubsql67rpPr2ulFnazR' +
  'ZF9zrQMpvMB3iOZ3DkkJr6elKI5xbuvgAE+LabFFZhwIX8Z6JbQ+FVohV8vMcJ+PHdJSnBnue8w4ZBj5c1ycvc0Lwm/g/u0P2Y5lF4q2rSusAx' +
  '/JHbBAuCaW+Olh9waB3zu+3cGzlPJSihR8OSWfDvUzwq+4AdP5/Js77mXtwua0oSv3NPCpSxl1aMQUtHYOoRiGoUPNOOJADeDrQ9OQsEDuPVUy' +
  'TLih5gqIlhQGjsKGbBPT5SQMOl3TlUDTyeQoky1s6KTU/Mb5MMHBEVcpcqvOTIeuJNfFCSzFdBJZiUxPl39YZqIxCpkgc71dpppyqBKxOBVb/p' +
  'bY8iex7/I3CvgABgAA';

/** Two sessions of OpenClaw in one database. */
export function openclaw(home: Home): string {
  const path = join(`${home.dir}.user`, '.openclaw', 'agents', 'main', 'agent', 'openclaw-agent.sqlite');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gunzipSync(Buffer.from(TWO_SESSIONS, 'base64')));
  return path;
}
