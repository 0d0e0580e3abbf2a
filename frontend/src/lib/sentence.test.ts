import { expect, test } from 'vitest';
import { sentence } from './sentence';

test.each([
  ['the message is empty', 'The message is empty.'],
  ['nothing was lost; try again', 'Nothing was lost; try again.'],
  ['reading it: no such file', 'Reading it: no such file.'],
  ['Already one.', 'Already one.'],
  ['asked why?', 'Asked why?'],
  ['too long…', 'Too long…'],
  ['', ''],
  // What stands in front may be a name, or something to type.
  ['palimpsest list shows the ids there are', 'palimpsest list shows the ids there are.'],
  ['base_url is no address', 'base_url is no address.'],
  ['gpt-5 takes no images', 'gpt-5 takes no images.'],
  ['config.yaml can’t be read', 'config.yaml can’t be read.'],
  ['127.0.0.1:80 answered 401', '127.0.0.1:80 answered 401.'],
  ['écrire: refused', 'Écrire: refused.'],
  // And what stands at the end may be copied.
  ['look into /tmp/a.yaml', 'Look into /tmp/a.yaml'],
  ['look at https://example.com/a', 'Look at https://example.com/a'],
])('%s', (said, shown) => {
  expect(sentence(said)).toBe(shown);
  expect(sentence(shown)).toBe(shown);
});
