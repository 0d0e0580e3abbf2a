import { expect, test } from 'vitest';
import { outlineOf } from './outline';

const lists = (compactions: number[], branches: number[], damage: number[], next: number | null) => ({
  total: 9,
  compactions,
  branches,
  damage,
  next,
});

test('an outline comes in as many requests as it has parts', async () => {
  const answers = [lists([1, 2], [], [], 2), lists([3], [4], [], 4), lists([], [5], [6], null)];
  const asked: string[] = [];
  const json = (path: string) => {
    asked.push(path);
    return Promise.resolve(answers.shift() as never);
  };
  const outline = await outlineOf({ json }, 'pi:s1', 7);
  expect(outline).toMatchObject({ total: 9, compactions: [1, 2, 3], branches: [4, 5], damage: [6] });
  expect(asked).toEqual(['', '&from=2', '&from=4'].map((more) => `sessions/pi%3As1/outline?at=7${more}`));
});
