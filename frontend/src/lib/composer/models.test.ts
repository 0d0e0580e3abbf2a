import { expect, test, vi } from 'vitest';
import { fakeBackend, later, models } from '../../test/fakes';
import type { ModelList } from '../backend';
import { Models } from './models.svelte';

test('who asked has the newest list, though it was asked for once more meanwhile', async () => {
  const [first, second] = [later<ModelList>(), later<ModelList>()];
  const ask = vi.fn().mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise);
  const shown = new Models(fakeBackend({ models: ask }), () => undefined);
  const seen: string[] = [];
  const loaded = shown.load(false).then(() => seen.push(shown.list?.model ?? ''));
  const again = shown.load(false);
  first.resolve(models({ model: 'before' }));
  await Promise.resolve();
  expect(seen, 'what came first is older than what was asked for').toEqual([]);
  second.resolve(models({ model: 'after' }));
  await Promise.all([loaded, again]);
  expect(seen).toEqual(['after']);
});
