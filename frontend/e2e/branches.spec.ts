import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { look, SIZES } from './support/look';
import { Log } from './support/log';
import { expect, test } from './support/shared';

/** Three ways from behind 2, of which the last is where it goes on. */
function three(): Log {
  const log = new Log().user('What shall we build?').assistant('A pier, or a lighthouse, or a ferry.');
  log.user('The pier.').assistant('It needs piles.');
  log.overlay('branch', { fromSeq: 2 }).user('The lighthouse.').assistant('It needs a lamp.');
  return log.overlay('branch', { fromSeq: 2 }).user('The ferry.').assistant('It needs a boat.');
}

function piTwoWays(home: Home): string {
  const at = (n: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + n * 60_000).toISOString();
  const said = (n: number, parent: number | null, content: string) => ({
    ...{ type: 'message', id: `e${n}`, parentId: parent === null ? null : `e${parent}`, timestamp: at(n) },
    message: { role: 'user', content },
  });
  foreignFile(home, '.pi/agent/sessions/--srv-harbour--/2026-11-20T10-00-00-000Z_b1.jsonl', [
    { type: 'session', version: 3, id: 'b1', timestamp: at(0), cwd: '/srv/harbour' },
    ...[said(1, null, 'What shall we build?'), said(2, 1, 'The pier.'), said(3, 1, 'The lighthouse.')],
  ]);
  return 'pi:b1';
}

/** A message that was rewound: its parent is answered twice. */
function claudeTwoWays(home: Home): string {
  const rows = claudeSession('w', 'What shall we build?', []) as Record<string, unknown>[];
  const last = rows.findLast(({ uuid }) => typeof uuid === 'string') ?? {};
  const said = (uuid: string, text: string, minute: number) => ({
    ...{ ...last, uuid, parentUuid: last.uuid, timestamp: `2026-11-21T12:0${minute}:00.000Z`, type: 'user' },
    message: { role: 'user', content: text },
  });
  foreignFile(home, `${PROJECT}/w.jsonl`, [...rows, said('p', 'The pier.', 1), said('l', 'The lighthouse.', 2)]);
  return 'claudecode:w';
}

test('where a conversation went on in several ways they switch in place, and nothing is written', async ({
  app,
  home,
}) => {
  const { page } = app;
  const id = home.session(three());
  const before = home.log(id);
  await app.open(id);
  const ways = page.getByTestId('ways');
  const said = (text: string) => app.log.getByText(text, { exact: true });
  await expect(ways).toHaveText(/3 of 3/);
  await expect(said('The ferry.')).toBeVisible();
  await expect(said('The pier.')).toHaveCount(0);
  await expect(page.getByText('5 of 10 lines')).toBeVisible();

  const previous = page.getByRole('button', { name: 'Previous branch' });
  const next = page.getByRole('button', { name: 'Next branch' });
  await expect(next).toHaveAttribute('aria-disabled', 'true');
  const top = (await ways.boundingBox())?.y ?? 0;
  await previous.focus();
  await page.keyboard.press('Enter');
  await expect(said('It needs a lamp.')).toBeVisible();
  await expect(said('The ferry.')).toHaveCount(0);
  await expect(previous).toBeFocused();
  await expect(ways.getByRole('status')).toHaveText(/Branch 2 of 3/);
  expect(Math.abs(((await ways.boundingBox())?.y ?? 0) - top), 'it stays where it is').toBeLessThan(60);
  await expect(app.message(6)).toHaveAttribute('data-state', 'offPath');
  await page.keyboard.press(',');
  await expect(said('It needs piles.')).toBeVisible();
  await expect(ways).toHaveText(/1 of 3/);
  await page.keyboard.press(',');
  await expect(app.toast).toContainText('There is no other branch here');
  await page.keyboard.press('.');
  await expect(said('It needs a lamp.')).toBeVisible();
  await page.getByTestId('way-now').click();
  await expect(said('It needs a boat.')).toBeVisible();
  await expect(page.getByTestId('way-now')).toHaveCount(0);

  await app.go(id, 3);
  await expect(app.message(3)).toBeInViewport();
  await expect(ways).toHaveText(/1 of 3/);
  await page.getByTestId('view-model').click();
  await expect(said('It needs a boat.')).toBeVisible();
  await expect(ways).toHaveCount(0);
  expect(home.log(id)).toEqual(before);
});

test('what is found on another branch is shown there', async ({ app, home }) => {
  await app.open(home.session(three()));
  await app.page.keyboard.press('ControlOrMeta+f');
  await app.page.keyboard.type('piles');
  await expect(app.message(4)).toBeInViewport();
  await expect(app.page.getByTestId('ways')).toHaveText(/1 of 3/);
});

test('a branch that was left stays while the conversation goes on', async ({ app, home }) => {
  const id = home.session(three());
  await app.open(id, 3);
  const more = { recordType: 'message', role: 'user', content: [{ type: 'text', text: 'A big one.' }] };
  await home.run(['append', id], `${JSON.stringify(more)}\n`);
  await expect(app.page.getByText('4 of 11 lines')).toBeVisible();
  await expect(app.message(3)).toBeInViewport();
  await app.page.getByTestId('way-now').click();
  await expect(app.log.getByText('A big one.')).toBeVisible();
});

for (const [whose, make] of [
  ['pi', piTwoWays],
  ['Claude Code', claudeTwoWays],
] as const) {
  test(`branches of ${whose} switch, too`, async ({ app, home }) => {
    await app.open(encodeURIComponent(make(home)));
    const ways = app.page.getByTestId('ways');
    await expect(ways).toHaveText(/2 of 2/);
    await expect(app.log.getByText('The lighthouse.')).toBeVisible();
    await app.page.getByRole('button', { name: 'Previous branch' }).click();
    await expect(app.log.getByText('The pier.')).toBeVisible();
    await expect(app.log.getByText('The lighthouse.')).toHaveCount(0);
    await expect(ways).toHaveText(/1 of 2/);
  });
}

test('branches can be read by everyone, at both sizes', { tag: '@look' }, async ({ app, home }) => {
  await app.open(home.session(three(), { name: 'what to build' }));
  for (const size of SIZES) {
    const asBefore = size !== SIZES[0];
    await app.page.setViewportSize(size);
    await look(app.page, 'branches-now', { asBefore });
    await app.page.getByRole('button', { name: 'Previous branch' }).click();
    await expect(app.log.getByText('It needs a lamp.')).toBeVisible();
    await look(app.page, 'branches-left', { asBefore });
    await app.page.getByTestId('way-now').click();
    await expect(app.log.getByText('It needs a boat.')).toBeVisible();
    await expect(app.log.getByText('It needs a lamp.')).toHaveCount(0);
  }
});
