import type { Session } from '../src/lib/backend';
import { conversation, compacted } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/test';

test('a session is renamed by its key and from its menu, archived, and moved to the trash', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(2), { name: 'before' });
  await app.start();
  await test.step('a session is renamed with F2, and Escape leaves the name as it was', async () => {
    await app.link(id).focus();
    await page.keyboard.press('F2');
    const field = page.getByTestId('rename');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('before');
    await field.fill('never');
    await page.keyboard.press('Escape');
    await expect(app.link(id)).toBeFocused();
    await expect(app.session(id)).toContainText('before');
    expect(home.metadata(id).name).toBe('before');

    await page.keyboard.press('F2');
    await field.fill('  after – ünïcode ⚓  ');
    await page.keyboard.press('Enter');
    await expect(app.session(id)).toContainText('after – ünïcode ⚓');
    await expect(app.link(id)).toBeFocused();
    expect(home.metadata(id).name).toBe('after – ünïcode ⚓');
  });
  await test.step('a session is renamed from its menu; without a name it goes by its first message', async () => {
    const log = home.log(id);
    await app.go(id);
    await app.menu(id, 'Rename');
    await page.getByTestId('rename').fill('from the menu');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('title')).toHaveText('from the menu');
    expect(home.metadata(id).name).toBe('from the menu');

    await app.menu(id, 'Rename');
    await page.getByTestId('rename').fill('');
    await page.keyboard.press('Enter');
    await expect(app.session(id)).toContainText('Question 1.');
    await expect(page.getByTestId('title')).toHaveText('Question 1.');
    expect(home.metadata(id)).not.toHaveProperty('name');
    expect(home.log(id), 'the log is not touched').toEqual(log);
  });
  await test.step('a name that is being typed as the page is loaded anew is kept, as where its field is left otherwise', async () => {
    await app.link(id).focus();
    await page.keyboard.press('F2');
    await page.getByTestId('rename').fill('lighthouse');
    await page.reload();
    await expect(app.session(id)).toContainText('lighthouse');
  });
  await home.run(['rename', id, 'done with']);
  await expect(app.session(id)).toContainText('done with');
  await test.step('archiving takes a session out of the list; it can be undone, and shown on demand', async () => {
    await app.menu(id, 'Archive');
    await expect(app.session(id)).toHaveCount(0);
    await expect(app.toast).toContainText('“done with” is archived');
    expect(Date.parse(home.metadata(id).archivedAt ?? '')).not.toBeNaN();

    await app.toast.getByRole('button', { name: 'Undo' }).click();
    await expect(app.session(id)).toBeVisible();
    expect(home.metadata(id)).not.toHaveProperty('archivedAt');

    await app.menu(id, 'Archive');
    await expect(app.session(id)).toHaveCount(0);
    const toggle = page.getByTestId('archived-too');
    await expect(toggle).toHaveAttribute('aria-pressed', 'false');
    await toggle.click();
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await expect(app.session(id)).toContainText('archived');
    await app.menu(id, 'Unarchive');
    await expect(app.session(id)).not.toContainText('archived');
    expect(home.metadata(id)).not.toHaveProperty('archivedAt');
  });
});

test(
  'with everything archived the library says so, and shows it on demand',
  { tag: '@look' },
  async ({ app, home }) => {
    const { page } = app;
    const archivedAt = '2026-11-21T10:00:00Z';
    const ids = ['harbour', 'mole'].map((name) => home.session(conversation(2), { name, archivedAt }));
    await app.start();
    const empty = page.getByTestId('library-empty');
    await expect(empty).toContainText('Everything is archived');
    await expect(empty).toContainText('2 sessions stand in the archive.');
    await expect(page.getByTestId('home')).not.toContainText('Choose a conversation');
    await looks(page, 'library-all-archived');

    await app.filter.fill('mole');
    await expect(empty).toContainText('Nothing matches');
    await expect(empty).toContainText('One session that is archived does.');
    await empty.getByRole('button', { name: 'Show archived sessions' }).press('Enter');
    await expect(page.getByTestId('archived-too')).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => app.listed()).toEqual([ids[1]]);
    await expect(app.link(ids[1] ?? ''), 'the focus goes to what is shown').toBeFocused();
  },
);

test('moving to the trash can be undone at once, and restored later', async ({ app, home }) => {
  const { page } = app;
  const kept = home.session(conversation(2), { name: 'kept' });
  const id = home.session(conversation(4), { name: 'thrown away' });
  const log = home.log(id);
  await app.start();
  await app.link(id).focus();
  await page.keyboard.press('Delete');
  await expect(app.session(id)).toHaveCount(0);
  await expect(app.link(kept), 'the focus goes on to the next session').toBeFocused();
  expect(home.ids('trash')).toEqual([id]);
  expect(home.ids()).toEqual([kept]);

  await app.toast.getByRole('button', { name: 'Undo' }).click();
  await expect(app.session(id)).toBeVisible();
  expect(home.ids('trash')).toEqual([]);
  expect(home.log(id)).toEqual(log);

  await app.menu(id, 'Move to trash');
  await expect(app.session(id)).toHaveCount(0);
  await page.getByTestId('shelf-trash').click();
  await expect(app.session(id)).toContainText('thrown away');
  await expect(app.session(kept)).toHaveCount(0);
  expect(home.ids('trash')).toEqual([id]);

  await app.session(id).getByTestId('restore').click();
  await expect(page.getByTestId('library-empty')).toContainText('The trash is empty');
  expect(home.ids()).toEqual([kept, id]);
  expect(home.log(id)).toEqual(log);
  await page.getByTestId('shelf-sessions').click();
  await expect(app.session(id)).toBeVisible();
});

test('a session is forked, whole or from a message on', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(compacted(), { name: 'harbour' });
  await app.start();
  await test.step('a fork is a session of its own with the same lines', async () => {
    await app.menu(id, 'Fork');
    await app.settled();
    await expect(page.getByTestId('title')).toHaveText('harbour (fork #1)');
    await expect(app.toast).toContainText('fork of “harbour”');
    const [fork = ''] = home.ids().filter((other) => other !== id);
    expect(home.log(fork)).toEqual(home.log(id));
    expect(home.metadata(fork)).toMatchObject({ parentSessionId: id, name: 'harbour (fork #1)' });
    await expect(app.session(fork)).toContainText('fork');
    await expect(app.session(fork)).toContainText('1 compaction');
    await expect(app.context.getByText('Forked from')).toBeVisible();
    expect(await program.get<Session[]>('sessions')).toHaveLength(2);
  });
  await test.step('a fork from a message ends with that message', async () => {
    const before = home.ids();
    const long = home.session(conversation(8), { name: 'long way' });
    await app.go(long, 5);
    await app.message(5).hover();
    await app.message(5).getByTestId('row-menu').click();
    await page.getByRole('menuitem', { name: 'Fork from here' }).click();
    await expect(page.getByTestId('title')).toHaveText('long way (fork #1)');
    await app.settled();
    await expect(app.message(5)).toBeVisible();
    await expect(app.message(6)).toHaveCount(0);
    const [fork = ''] = home.ids().filter((other) => ![...before, long].includes(other));
    const lines = home.log(long).toString().split('\n').slice(0, 5);
    expect(home.log(fork).toString()).toBe(`${lines.join('\n')}\n`);
    expect(home.metadata(fork)).toMatchObject({ parentSessionId: long, forkedAtSeq: 5 });
  });
});
