import { expect, test } from 'vitest';
import { projectName, projectNames } from './projects';

test.each([
  [['/srv/web'], ['web']],
  [
    ['/x/api', '/y/api', '/y/web'],
    ['x/api', 'y/api', 'web'],
  ],
  [
    ['/a/x/api', '/b/x/api', '/b/y/api'],
    ['a/x/api', 'b/x/api', 'y/api'],
  ],
  [
    ['/api', '/x/api', '/x/api/'],
    ['/api', '/x/api', '/x/api/'],
  ],
  [
    ['C:\\x\\api', 'C:\\y\\api\\', 'D:\\'],
    ['x\\api', 'y\\api', 'D:\\'],
  ],
  [
    ['/', '.', 'api', 'api', '/api'],
    ['/', '.', 'api', 'api', '/api'],
  ],
])('of %j each is called by as much as tells it apart', (paths, called) => {
  const names = projectNames(paths);
  expect(paths.map((path) => names.get(path))).toEqual(called);
});

/** Numbers that are the same in every run of a seed. */
function* dice(seed: number): Generator<number, never> {
  for (let x = seed; ;) yield (x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 1) / 2 ** 31;
}

const partsOf = (path: string) => path.split('/').filter(Boolean);

test.each(Array.from({ length: 100 }, (_, seed) => seed + 1))(
  'whatever folders there are, no two are called alike, and none by more than it takes (%d)',
  (seed) => {
    const random = dice(seed);
    const below = (n: number) => Math.floor(random.next().value * n);
    const drawn = () => '/' + Array.from({ length: 1 + below(5) }, () => 'abc'.charAt(below(3))).join('/');
    const paths = [...new Set(Array.from({ length: 40 }, drawn))];
    const names = projectNames(paths);
    expect(new Set(names.values()).size).toBe(paths.length);
    for (const path of paths) {
      const name = names.get(path) ?? '';
      expect(path.endsWith(name)).toBe(true);
      const shorter = partsOf(name).slice(1).join('/');
      const others = paths.filter((other) => other !== path && `/${partsOf(other).join('/')}`.endsWith(`/${shorter}`));
      if (shorter) expect(others, `${path} is called ${name}`).not.toEqual([]);
    }
  },
);

test('what is hidden in a name, or all there is of it, shows', () => {
  const paths = ['/srv/\u200b', '/srv/  ', '/srv/ap\u202ei'];
  const names = projectNames(paths);
  expect(paths.map((path) => projectName(names, path))).toEqual(['⟨ZWSP⟩', '⟨2 SP⟩', 'ap⟨RLO⟩i']);
});

test('folders that are alike for a long way are told apart at once', () => {
  const deep = '/same'.repeat(20_000);
  const names = projectNames([`/x${deep}`, `/y${deep}`]);
  expect(names.get(`/x${deep}`)).toBe(`x${deep}`);
  const many = Array.from({ length: 20_000 }, (_, n) => `/home/dev/project${n >> 4}/part${n & 15}/web`);
  const began = performance.now();
  expect(new Set(projectNames(many).values()).size).toBe(many.length);
  expect(performance.now() - began).toBeLessThan(1000);
});
