import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/shared';

test.use({ withModel: true });

let folder = '';
test.beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-work-')));
});
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a change is shown before it is made, also after a reload, and allowed with the keyboard', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(4), { name: 'harbour', cwd: folder });
  await app.open(id);
  const approval = page.getByTestId('approval');

  const call = model.reply();
  await composer.send('Write it down.');
  await call.asked;
  call.toolCall('write', { path: 'lights.txt', content: 'seven\n' }).done();
  await expect(approval).toBeVisible();
  await expect(approval).toContainText('lights.txt');
  await expect(approval.getByTestId('diff')).toContainText('seven');
  await expect(composer.spoken).toHaveText('A tool asks for your permission');

  await page.reload();
  await expect(approval).toBeVisible();
  const answer = model.reply();
  const once = approval.getByRole('button', { name: 'Once' });
  await once.focus();
  await page.keyboard.press('Enter');
  const { body } = await answer.asked;
  expect(body.messages?.at(-1)).toMatchObject({ role: 'tool' });
  expect(readFileSync(join(folder, 'lights.txt'), 'utf8')).toBe('seven\n');
  await expect(approval).toHaveCount(0);
  answer.text('It is written.').done();
  await expect(app.message(8)).toContainText('It is written.');
});

test('who reads further up is told that a tool asks, and gets there', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(40), { name: 'harbour', cwd: folder });
  await app.open(id);
  const call = model.reply();
  await composer.send('Write it down.');
  await call.asked;
  await expect(app.message(41)).toBeVisible();
  await app.log.hover();
  await page.mouse.wheel(0, -900);
  const toEnd = page.getByTestId('to-end');
  await expect(toEnd).toBeVisible();
  call.toolCall('write', { path: 'lights.txt', content: 'seven\n' }).done();
  await expect(toEnd).toHaveText('A tool asks you');
  await toEnd.click();
  await expect(page.getByTestId('approval').getByRole('button', { name: 'Once' })).toBeInViewport();
});

test('a refused command does not run, and the model is told why', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(4), { name: 'harbour', cwd: folder });
  await app.open(id);
  const approval = page.getByTestId('approval');

  const call = model.reply();
  await composer.send('Clean up.');
  await call.asked;
  call.toolCall('bash', { command: 'echo gone > lights.txt; rm -rf *' }).done();
  await expect(approval.getByTestId('approval-command')).toHaveText('echo gone > lights.txt; rm -rf *');
  // Whoever comes back sees in the library that it asks.
  const asking = app.session(id).getByTestId('asking');
  await expect(asking).toHaveText('asks you');
  await page.reload();
  await expect(approval).toBeVisible();
  await expect(asking).toHaveText('asks you');
  const answer = model.reply();
  await approval.getByRole('textbox').fill('not now');
  await approval.getByRole('textbox').press('Enter');
  const { body } = await answer.asked;
  expect(JSON.stringify(body.messages?.at(-1))).toContain('The user says: not now');
  await expect(approval).toHaveCount(0);
  answer.text('I leave it.').done();
  await expect(app.message(8)).toContainText('I leave it.');
});

test('a path or a rule that differs by a blank is not asked for as if it did not', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  await app.open(home.session(conversation(4), { cwd: folder }));
  model
    .reply()
    .toolCall('write', { path: 'deploy  now ', content: 'x' })
    .toolCall('bash', { command: 'ls\rrm x' })
    .done();
  await composer.send('Write it down.');
  const approval = page.getByTestId('approval');
  await expect(approval).toContainText('/deploy ⟨SP⟩now⟨SP⟩');
  await expect(page.getByTestId('tool-head').first()).toContainText('deploy ⟨SP⟩now⟨SP⟩');
  model.says('Neither.');
  await approval.getByRole('button', { name: 'No', exact: true }).click();
  await expect(approval.getByTestId('approval-allows')).toHaveText('bash(ls⟨CR⟩rm x)');
  await approval.getByRole('button', { name: 'No', exact: true }).click();
  await expect(app.log).toContainText('Neither.');
});

test('what is asked looks as long and as wide as it is', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  await app.open(home.session(conversation(4), { cwd: folder }));
  const content = `const a = 1;${' '.repeat(400)}evil();\n`;
  model
    .reply()
    .toolCall('bash', { command: `ls${'\n'.repeat(300)}rm -rf *` })
    .toolCall('write', { path: 'a.js', content })
    .done();
  await composer.send('Clean up.');
  // Once the answer is a message: as it becomes one, the box is made anew, and the focus goes to the message.
  const approval = app.message(6).getByTestId('approval');
  const goesOn = approval.getByTestId('goes-on');
  await expect(goesOn).toHaveText('It goes on below: scroll to read all of it.');
  await approval.getByTestId('approval-command').focus();
  await page.keyboard.press('End');
  await expect(goesOn).toBeHidden();
  await approval.getByRole('button', { name: 'No', exact: true }).click();
  const diff = approval.getByTestId('diff');
  await expect(diff).toContainText('evil();');
  expect(await diff.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  model.says('Neither.');
  await approval.getByRole('button', { name: 'No', exact: true }).click();
  await expect(app.log).toContainText('Neither.');
});

test('what is asked before a change is made', { tag: '@look' }, async ({ app, home, model }) => {
  const { page } = app;
  writeFileSync(join(folder, 'lights.txt'), 'red\ngreen\nwhite\n');
  await app.open(home.session(conversation(4), { name: 'fix the harbour lights', cwd: folder }));
  const call = model.reply();
  await new Composer(page).send('Turn the green one off.');
  await call.asked;
  call
    .text('I take it out of the list.')
    .toolCall('edit', { path: 'lights.txt', oldText: 'green\n', newText: '' })
    .toolCall('bash', { command: 'git add lights.txt && git commit -m "one light less"' })
    .done();
  const approval = page.getByTestId('approval');
  await expect(approval.getByTestId('diff')).toContainText('green');
  await looks(page, 'approval-diff');
  const second = approval.getByTestId('approval-command');
  await approval.getByRole('button', { name: 'Once' }).click();
  await expect(second).toContainText('git commit');
  await looks(page, 'approval-command');
  await approval.getByTestId('approval-rules').click();
  await expect(page.getByTestId('rules')).toBeVisible();
});
