import { looks } from './support/look';
import { conversation } from './support/log';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

test('rules are seen with where they come from, edited with the keyboard, and checked before they hold', async ({
  app,
  home,
}) => {
  const { page } = app;
  home.config('permissions:\n  deny: ["bash(rm *)"]\n');
  const id = home.session(conversation(4), { name: 'harbour', cwd: home.dir });
  await app.open(id);
  await app.log.focus();
  await page.keyboard.press('Shift+P');
  const rules = page.getByTestId('rules');
  await expect(rules.getByTestId('inherited-rules')).toContainText('bash(rm *)config.yaml');
  await expect(rules.getByTestId('inherited-rules')).toContainText('default');
  await expect(rules).toContainText('It has no rules of its own yet.');

  await page.getByTestId('add-rule').press('Enter');
  await expect(page.getByRole('textbox', { name: 'Rule' })).toBeFocused();
  await page.keyboard.type('bash(make *)');
  await page.getByTestId('add-rule').press('Enter');
  await page.keyboard.type('read(src');
  await page.keyboard.press('Enter');
  const row = rules.getByTestId('rule');
  await expect(row.nth(1).getByRole('alert')).toContainText('the closing parenthesis is missing');
  await expect(row.nth(0).getByRole('alert')).toHaveCount(0);
  await expect(row.nth(1).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('/**)');
  await row.nth(1).getByRole('combobox').selectOption('deny');
  await page.getByTestId('save-rules').click();
  await expect(app.toast).toContainText('The rules are saved');
  await expect(rules).toHaveCount(0);

  // They are the session's, and are there again.
  await page.reload();
  await app.settled();
  await app.menu(id, 'Rules for tools…');
  await expect(row).toHaveCount(2);
  await expect(row.nth(1).getByRole('textbox')).toHaveValue('read(src/**)');
  await expect(row.nth(1).getByRole('combobox')).toHaveValue('deny');
  await row.nth(0).getByRole('button').click();
  await page.getByTestId('save-rules').click();
  await app.menu(id, 'Rules for tools…');
  await expect(row).toHaveCount(1);
});

shared('where there are no tools, the rules say why and what to do', async ({ app, home }) => {
  const id = home.session(conversation(2), { name: 'harbour' });
  await app.open(id);
  await app.menu(id, 'Rules for tools…');
  await expect(app.page.getByTestId('no-tools')).toContainText('the session has no folder to work in');
  await expect(app.page.getByTestId('no-tools')).toContainText('A new conversation can be given one');
});

test('the rules of a session', { tag: '@look' }, async ({ app, home }) => {
  home.config('permissions:\n  allow: ["bash(go test *)"]\n  deny: ["bash(rm *)"]\n');
  const id = home.session(conversation(4), { name: 'fix the harbour lights', cwd: home.dir });
  await app.open(id);
  await app.menu(id, 'Rules for tools…');
  for (const rule of ['bash(make *)', 'write(docs/**', 'read(../secrets)']) {
    await app.page.getByTestId('add-rule').click();
    await app.page.keyboard.type(rule);
  }
  await app.page.getByTestId('save-rules').click();
  await expect(app.page.getByTestId('rule').getByRole('alert')).toBeVisible();
  await looks(app.page, 'rules');
});
