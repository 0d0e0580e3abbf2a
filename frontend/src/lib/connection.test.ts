import { expect, test, vi } from 'vitest';
import { later } from '../test/fakes';
import type { Backend, Config } from './backend';
import { Connection } from './connection.svelte';

test('settings that were asked for later stand, whichever answer comes first', async () => {
  const [first, second] = [later<Config>(), later<Config>()];
  const config = vi.fn(() => second.promise).mockReturnValueOnce(first.promise);
  const backend = { config, subscribe: () => () => undefined } as unknown as Backend;
  const onConfig = vi.fn();
  const connection = new Connection(backend, {
    onConfig,
    onReady: () => Promise.resolve(),
    onNews: vi.fn(),
    onTurn: vi.fn(),
    onMissed: vi.fn(),
  });
  const connected = connection.connect();
  const read = connection.reread();
  const [before, now] = [{ theme: 'light' } as Config, { theme: 'dark' } as Config];
  second.resolve(now);
  await read;
  first.resolve(before);
  await connected;
  expect(connection.config).toEqual(now);
  expect(onConfig).toHaveBeenCalledExactlyOnceWith(now);
});
