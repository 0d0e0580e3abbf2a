import { expect, test } from 'vitest';
import { outputOf } from './output';

test('what a tool gave back is read out of what older versions of Codex put around it', () => {
  const around = (output: unknown, metadata: unknown) => JSON.stringify({ output, metadata });
  expect(outputOf(around('total 28\ndrwx C:\\x', { exit_code: 0, duration_seconds: 0.1 }))).toBe(
    'total 28\ndrwx C:\\x',
  );
  expect(outputOf(around('', { exit_code: 1 }))).toBe('');
  for (const text of [
    around(1, { exit_code: 0 }),
    around('a', { pages: [1] }),
    around('a', null),
    '{"output":"a"}',
    '{"output":"a"',
    'out',
  ])
    expect(outputOf(text)).toBe(text);
});
