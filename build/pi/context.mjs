// node context.mjs DIRECTORY: what pi's own library sends to a model of each session in it, a line of JSON for each, by name.
// It rewrites sessions of earlier versions where they stand: give it copies.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemMessageText } from '@earendil-works/pi-ai';
import { transformMessages } from '@earendil-works/pi-ai/api/transform-messages';
// The package has no names for these, and its own entry loads all of pi.
import { convertToLlm } from './node_modules/@earendil-works/pi-coding-agent/dist/core/messages.js';
import { SessionManager } from './node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js';

const directory = process.argv[2];

// endless tells of parents that lead around: the library would never come back from there.
function endless(session) {
  const seen = new Set();
  for (
    let on = session.getLeafEntry() ?? session.getEntries().at(-1);
    on;
    on = on.parentId ? session.getEntry(on.parentId) : undefined
  ) {
    if (seen.has(on)) return true;
    seen.add(on);
  }
  return false;
}

// sent is what a provider gets of one message, to the model that said it; nothing if it gets none of it.
function sent(message) {
  if (message.role === 'system') return [{ role: 'system', content: getSystemMessageText(message) }];
  const model = { provider: message.provider, api: message.api, id: message.model, input: ['text', 'image'] };
  return transformMessages([message], model).filter(({ role }) => role === message.role);
}

function context(file) {
  const session = SessionManager.open(join(directory, file));
  if (endless(session)) throw new Error('endless');
  const { messages, model, thinkingLevel } = session.buildSessionContext();
  return { messages: convertToLlm(messages).flatMap(sent), model, thinkingLevel };
}

const files = readdirSync(directory).filter((name) => name.endsWith('.jsonl'));
for (const file of files.sort()) {
  try {
    console.log(JSON.stringify({ file, ...context(file) }));
  } catch (error) {
    console.log(JSON.stringify({ file, refused: error.message }));
  }
}
