import { readFileSync } from 'node:fs';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { looks } from './support/look';
import { conversation } from './support/log';
import { expect, test } from './support/test';

const CLAUDE = 'claudecode:c';

/** Four of ours, the newest first, and one of Claude Code behind them. */
function sessions(home: Home): string[] {
  const ids = [0, 1, 2, 3].map((n) =>
    home.session(conversation(2, `2026-11-2${n}T10:30:00Z`), { name: `number ${n}` }),
  );
  foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look at the sky.'));
  return ids.toReversed();
}

test('sessions are chosen, exported, and done with what applies to them', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const [a = '', b = '', c = '', d = ''] = sessions(home);
  const ids = [a, b, c, d];
  await app.start();
  await test.step('sessions are chosen by mouse and by keys', async () => {
    const bar = page.getByTestId('bulk-bar');
    await app.link(a).click({ modifiers: ['ControlOrMeta'] });
    await app.link(c).click({ modifiers: ['ControlOrMeta'] });
    await expect(bar).toContainText('2 chosen');
    await app.link(d).click({ modifiers: ['Shift'] });
    await expect(bar).toContainText('2 chosen');
    await expect(app.session(c).getByRole('checkbox')).toBeChecked();
    await expect(app.session(a).getByRole('checkbox')).not.toBeChecked();
    await app.link(a).click({ modifiers: ['ControlOrMeta'] });
    await app.link(b).click({ modifiers: ['ControlOrMeta', 'Shift'] });
    await expect(bar, 'a range that is added').toContainText('4 chosen');
    await page.keyboard.press('Escape');
    await expect(bar).toHaveCount(0);

    await app.link(a).click({ modifiers: ['ControlOrMeta'] });
    await app.link(c).click({ modifiers: ['Shift'] });
    await expect(app.link(c)).toBeFocused();
    await page.keyboard.press('Shift+ArrowDown');
    await expect(bar, 'a key goes on with the range').toContainText('4 chosen');
    await app
      .session(b)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await expect(app.link(b)).toBeFocused();
    await page.keyboard.press('Shift+ArrowDown');
    await expect(bar).toContainText('3 chosen');
    await page.keyboard.press('Escape');

    await app.link(a).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(bar).toContainText('3 chosen');
    await page.keyboard.press('Shift+ArrowUp');
    await expect(bar).toContainText('2 chosen');
    await expect(app.link(b)).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await expect(bar).toContainText('5 chosen');
    await page.getByTestId('bulk-clear').click();
    await expect(bar).toHaveCount(0);
    await app.menu(b, 'Choose several');
    await expect(bar).toContainText('1 chosen');
    const box = (id: string) => app.session(id).getByRole('checkbox');
    await box(d).click({ modifiers: ['Shift'] });
    await expect(bar).toContainText('3 chosen');
    await box(c).click({ modifiers: ['Shift'] });
    await expect(bar).toContainText('2 chosen');
    await expect(box(c), 'it ends the range').toBeChecked();
    await expect(box(d)).not.toBeChecked();
    // A plain press opens, and chooses none.
    await app.link(a).click();
    await expect(bar).toHaveCount(0);
  });
  await test.step('the bar of what is chosen can be read by everyone', async () => {
    await app.link(a).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await expect(page.getByTestId('bulk-bar')).toContainText('5 chosen');
    await looks(page, 'select');
  });
  await page.keyboard.press('Escape');
  await test.step('one is exported as a file, several as an archive, whoever they belong to', async () => {
    const exported = async (format: RegExp) => {
      await page.getByTestId('bulk-export').click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: format }).click();
      return download;
    };
    await app.link(a).click({ modifiers: ['ControlOrMeta'] });
    const one = await exported(/Markdown/);
    expect(one.suggestedFilename()).toBe('number 3.md');
    expect(readFileSync(await one.path(), 'utf8')).toMatch(/^# number 3\n/);
    await expect(app.toast).toContainText('1 session is in number 3.md.');

    await page.keyboard.press('Escape');
    await app.link(b).focus();
    await page.keyboard.press('d');
    await expect(page.getByRole('menu', { name: 'Export as' }).getByRole('menuitem').first()).toBeFocused();
    const fromKey = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /JSONL/ }).press('Enter');
    expect((await fromKey).suggestedFilename()).toBe('number 2.jsonl');
    await expect(app.link(b)).toBeFocused();

    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Export…' }).press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(app.link(b), 'nothing was written').toBeFocused();
    const fromMenu = page.waitForEvent('download');
    await app.menu(b, 'Export…');
    await page.getByRole('menu', { name: 'Export as' }).getByRole('menuitem', { name: /JSONL/ }).click();
    expect((await fromMenu).suggestedFilename()).toBe('number 2.jsonl');

    await app.link(a).focus();
    await page.keyboard.press('ControlOrMeta+a');
    const all = await exported(/JSONL/);
    expect(all.suggestedFilename()).toMatch(/^palimpsest-\d{4}-\d\d-\d\d\.zip$/);
    const bytes = readFileSync(await all.path());
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    expect(bytes.readUInt16LE(bytes.length - 12)).toBe(5);
    expect(bytes.includes('Look at the sky..jsonl') || bytes.includes('Look at the sky.jsonl')).toBe(true);
    expect(bytes.includes(home.log(a))).toBe(true);
  });
  await page.keyboard.press('Escape');
  await test.step('what does not apply to sessions of others is done with the rest, and said', async () => {
    await app.link(ids[0] ?? '').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByTestId('bulk-trash').click();
    await expect(app.toast).toContainText(
      '4 sessions are in the trash. One belongs to another agent, and stays as it is.',
    );
    await expect.poll(() => app.listed()).toEqual([CLAUDE]);
    expect(home.ids('trash')).toHaveLength(4);
    await app.toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => app.listed()).toHaveLength(5);
    expect(home.ids('trash')).toHaveLength(0);

    await app.link(ids[0] ?? '').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByTestId('bulk-archive').click();
    await expect(app.toast).toContainText('4 sessions are archived.');
    await expect.poll(() => app.listed()).toEqual([CLAUDE]);
    await page.getByTestId('archived-too').click();
    await app.link(CLAUDE).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByTestId('bulk-unarchive').click();
    await expect(app.toast).toContainText('4 sessions are back in the library.');
    for (const id of ids) expect(home.metadata(id)).not.toHaveProperty('archivedAt');

    await app.link(CLAUDE).click({ modifiers: ['ControlOrMeta'] });
    await page.getByTestId('bulk-import').click();
    await expect(app.toast).toContainText('1 session is yours as a copy.');
    await expect.poll(() => home.ids()).toHaveLength(5);
  });
});

test('Escape ends the choice wherever in the library the focus is, and leaves it in the list', async ({
  app,
  home,
}) => {
  const { page } = app;
  const [a = '', b = ''] = sessions(home);
  await app.start();
  const bar = page.getByTestId('bulk-bar');
  await app.link(a).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(bar, 'from a row').toHaveCount(0);
  await expect(app.link(a)).toBeFocused();

  await page.keyboard.press('Shift+ArrowDown');
  await page.getByTestId('bulk-export').press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('bulk-export'), 'only the menu').toBeFocused();
  await expect(bar).toContainText('2 chosen');
  await page.keyboard.press('Escape');
  await expect(bar, 'from the bar').toHaveCount(0);
  await expect(app.link(b)).toBeFocused();

  await page.keyboard.press('Space');
  await app.session(a).getByRole('checkbox').click();
  await page.keyboard.press('Escape');
  await expect(bar, 'from a box').toHaveCount(0);
  await expect(app.link(a)).toBeFocused();

  await page.keyboard.press('Space');
  await page.getByTestId('bulk-clear').press('Enter');
  await expect(bar).toHaveCount(0);
  await expect(app.link(a), 'its button does the same').toBeFocused();

  await page.keyboard.press('Space');
  await app.filter.focus();
  await app.filter.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
  await expect(bar, 'what ends the composing of a word ends no choice').toHaveCount(1);

  await app.filter.fill('number');
  await page.keyboard.press('Escape');
  await expect(app.filter, 'a filter is emptied first').toHaveValue('');
  await expect(bar).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(bar, 'from the filter').toHaveCount(0);
  await expect(app.link(a)).toBeFocused();
});

test('of what is chosen and not in view it is said that it stays as it is', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const [a = '', b = ''] = sessions(home);
  await app.start();
  const bar = page.getByTestId('bulk-bar');
  await app.link(a).click({ modifiers: ['ControlOrMeta'] });
  await app.link(b).click({ modifiers: ['ControlOrMeta'] });
  await app.filter.fill('number 2');
  await expect(bar).toContainText('2 chosen, 1 in view');
  await expect(bar).toContainText('What is not in view stays as it is.');
  await looks(page, 'select-not-in-view');
  await app.filter.fill('number 0');
  await expect(bar).toContainText('2 chosen, none in view');
  await expect(page.getByTestId('bulk-trash')).toBeDisabled();
  await page.getByTestId('session-row').getByRole('link').press('Delete');
  await expect(app.toast).toContainText('2 chosen, none in view');
  expect(home.ids('trash')).toHaveLength(0);
  await app.filter.fill('number 2');
  await page.getByTestId('bulk-trash').click();
  await expect(app.toast).toContainText('1 session is in the trash.');
  await app.filter.fill('');
  await expect(bar, 'the other one can be done with, too').toContainText('1 chosen');
  await expect(bar).not.toContainText('in view');
  expect(home.ids('trash')).toEqual([b]);
});

test('what fails is told of each session, and the rest is done', async ({ app, home }) => {
  const { page } = app;
  const [a = '', b = '', c = ''] = sessions(home);
  await app.start();
  await page.route(`**/api/sessions/${b}`, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({
          status: 409,
          json: { error: { code: 'busy', message: 'another program writes to it', hint: '' } },
        })
      : route.continue(),
  );
  await app.link(a).click({ modifiers: ['ControlOrMeta'] });
  await app.link(c).click({ modifiers: ['Shift'] });
  await page.getByTestId('bulk-trash').click();
  await expect(page.getByTestId('bulk-failures')).toContainText('number 2');
  await expect(page.getByTestId('bulk-failures')).toContainText('Another program writes to it.');
  await page.keyboard.press('Escape');
  await expect(app.session(b)).toBeVisible();
  await expect(app.session(a)).toHaveCount(0);
  expect(home.ids('trash')).toHaveLength(2);
});

test(
  'where all of many fail, that is said, and only those in view are listed',
  { tag: '@look' },
  async ({ app, home }) => {
    const { page } = app;
    const MANY = 80;
    const ids = Array.from({ length: MANY }, (_, n) => home.session(conversation(1), { name: `number ${n}` }));
    await app.start();
    const problem = { code: 'failed', message: 'no room', hint: 'the disk is full; make room and try again' };
    await page.route('**/api/sessions/*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 500, json: { error: problem } })
        : route.continue(),
    );
    await app.link(ids.at(-1) ?? '').focus();
    await page.keyboard.press('Control+a');
    await page.getByTestId('bulk-trash').click();
    const dialog = page.getByRole('dialog', { name: 'What did not succeed' });
    await expect(dialog).toContainText('None of 80 sessions went well, and nothing was changed:');
    await expect(app.toast).toContainText('80 sessions could not be moved to the trash: see why.');
    await expect(dialog.getByText('The disk is full; make room and try again.').first()).toBeVisible();
    expect(await dialog.getByText('No room.').count()).toBeLessThan(60);
    await looks(page, 'bulk-none');
  },
);
