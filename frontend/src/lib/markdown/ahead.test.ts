// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { message } from '../../test/fakes';
import { Ahead } from './ahead';
import { isKnown, markdown, renderMarkdown } from './markdown';

const PART =
  '## Step\n\nThe **tool** failed, see [log](https://e.example/a).\n\n- one\n- two\n\n  still two\n\n' +
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nfunc main() {}\n\n```\n\n1. first\n2. second\n\n> said\n\n';

const shape = (html: string) => {
  const root = document.createElement('div');
  root.innerHTML = html;
  return root.innerHTML.replaceAll(/\n+/g, '\n').trim();
};

describe('long messages are rendered ahead', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('in slices, to what they would be rendered to at once', async () => {
    const source = PART.repeat(60);
    const ahead = new Ahead();
    ahead.prepare(message(1, 'assistant', source));
    expect(isKnown(source)).toBe(false);
    await vi.runAllTimersAsync();
    expect(isKnown(source)).toBe(true);
    expect(shape(markdown(source))).toBe(shape(renderMarkdown(source)));
  });

  test('but not short ones, those with references, and those that are not read as prose', async () => {
    const ahead = new Ahead();
    const texts = ['short', `${PART.repeat(60)}[1]: https://e.example/`, 'x'.repeat(200_000)];
    for (const text of texts) ahead.prepare(message(1, 'assistant', text));
    await vi.runAllTimersAsync();
    expect(texts.filter(isKnown)).toEqual([]);
  });

  test('and no more once nobody looks', async () => {
    const source = `Other.\n\n${PART.repeat(60)}`;
    const ahead = new Ahead();
    ahead.prepare(message(1, 'assistant', source));
    ahead.stop();
    await vi.runAllTimersAsync();
    expect(isKnown(source)).toBe(false);
  });
});
