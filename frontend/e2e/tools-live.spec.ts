import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/test';

test.use({ withModel: true });

let folder = '';
test.beforeEach(({ home }) => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-work-')));
  home.config('permissions:\n  allow: [bash]\n');
});
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const release = (name: string) => {
  writeFileSync(join(folder, name), '');
};
const untilThere = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;

test('what a command prints is shown while it runs, also after a reload, and stays when it has ended', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const composer = new Composer(page);
  await app.open(home.session(conversation(4), { name: 'harbour', cwd: folder }));
  const card = page.getByTestId('tool-card');
  const state = card.getByTestId('tool-state');

  const call = model.reply();
  await composer.send('Build it.');
  await call.asked;
  call
    .toolCall('bash', {
      command: `printf '\\033[32mgreen\\033[0m\\n'; ${untilThere('a')}; echo more; ${untilThere('b')}; echo end`,
    })
    .toolCall('bash', { command: 'echo the second' })
    .done();
  const output = card.first().getByTestId('live-output');
  await expect(output).toHaveText('green\n');
  await expect(output.locator('.green')).toHaveText('green');
  await expect(state.nth(0)).toHaveAttribute('data-state', 'running');
  await expect(state.nth(0)).toContainText(/running\s\d+ s/);
  await expect(state.nth(1)).toHaveAttribute('data-state', 'waiting');
  await expect(card).toHaveCount(2);

  release('a');
  await expect(output).toHaveText('green\nmore\n');
  await page.reload();
  await expect(output).toHaveText('green\nmore\n');
  await expect(state.nth(0)).toHaveAttribute('data-state', 'running');
  await expect(card).toHaveCount(2);

  const answer = model.reply();
  release('b');
  await answer.asked;
  // What was open while it ran stays open, as its result.
  await expect(card.nth(0).getByTestId('tool-output')).toContainText('green\nmore\nend');
  await expect(card.nth(1).getByTestId('tool-output')).toContainText('the second');
  await expect(page.getByTestId('live-output')).toHaveCount(0);
  await expect(state).toHaveCount(0);
  answer.text('It is built.').done();
  await expect(app.message(9)).toContainText('It is built.');
});

test('stopping ends a command that prints, and a flood does not hold the page up', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  await app.open(home.session(conversation(4), { name: 'harbour', cwd: folder }));
  const call = model.reply();
  await composer.send('Flood it.');
  await call.asked;
  // More than what is told, and less than what ends it.
  call.toolCall('bash', { command: `seq 1 400000; echo there; ${untilThere('never')}` }).done();
  const output = page.getByTestId('live-output');
  await expect(output).toContainText('400000\nthere');
  const { characters, elements, fromEnd } = await output.evaluate((pre) => ({
    characters: pre.textContent.length,
    elements: pre.querySelectorAll('*').length,
    fromEnd: pre.scrollHeight - pre.scrollTop - pre.clientHeight,
  }));
  expect(characters).toBeLessThan(30_000);
  expect(elements).toBeLessThan(50);
  expect(fromEnd).toBeLessThan(8);
  await page.getByTestId('stop').click();
  await expect(page.getByTestId('tool-output')).toContainText('[stopped]');
  await expect(output).toHaveCount(0);
});

test('a command as it runs', { tag: '@look' }, async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  await app.open(home.session(conversation(4), { name: 'fix the harbour lights', cwd: folder }));
  const call = model.reply();
  await composer.send('Run the tests, then look at the log.');
  await call.asked;
  const tests = "printf 'ok  harbour/lights\\nok  harbour/tides\\n\\033[31mFAIL\\033[0m harbour/bell\\n'";
  call
    .text('I run them first.')
    .toolCall('bash', { command: `${tests}; ${untilThere('a')}` })
    .toolCall('bash', { command: 'git log --oneline' })
    .done();
  await expect(page.getByTestId('live-output')).toContainText('bell');
  await looks(page, 'tool-live');
  release('a');
  await model.reply().asked;
});
