import { Log } from './support/log';
import { look } from './support/look';
import { expect, test } from './support/shared';

/** Prompts at 1, 402, 803, … with four hundred other messages between them. */
function sparse(prompts: number): Log {
  const log = new Log();
  for (let n = 1; n <= prompts; n++) {
    log.user(`Question ${n}.\nMore of it.`);
    for (let m = 0; m < 400; m++) log.assistant(`Answer ${m}.`);
  }
  return log;
}

test('from prompt to prompt, and what is folded between them', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;

  await test.step('from prompt to prompt, over stretches that are not loaded', async () => {
    await app.open(home.session(sparse(5)), 1000);
    await app.log.click({ position: { x: 500, y: 300 } });
    await page.keyboard.press('Shift+J');
    await expect(app.message(1204)).toBeInViewport();
    await expect(app.message(1204)).toBeFocused();
    await page.keyboard.press('Shift+J');
    await expect(app.message(1605)).toBeFocused();
    await page.keyboard.press('Shift+J');
    await expect(app.toast).toContainText('your last message');
    for (const seq of [1204, 803, 402, 1]) {
      await page.keyboard.press('Shift+K');
      await expect(app.message(seq)).toBeFocused();
    }
  });

  await test.step('the list of prompts begins where one is, is filtered, and goes there', async () => {
    const log = new Log();
    for (let n = 1; n <= 1000; n++) log.user(`Question ${n}.\nMore of it.`).assistant('Yes.');
    await app.go(home.session(log), 1201);
    await page.getByTestId('prompts').click();
    const list = page.getByTestId('prompts-list');
    const row = (text: string) => list.getByRole('option', { name: text });
    await expect(row('Question 601.')).toBeInViewport();
    await expect(list).toContainText('1,000 messages');
    expect(await list.getByRole('option').count()).toBeLessThan(60);
    await look(page, 'prompts');
    await page.getByTestId('prompts-filter').fill('question 99');
    await expect(list).toContainText('11 messages');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(list).toHaveCount(0);
    await expect(app.message(1979)).toBeFocused();
    await page.keyboard.press('p');
    await expect(list).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
  });

  await test.step('all is folded and unfolded, for rows that come later too; single ones differ', async () => {
    const log = new Log();
    for (let n = 1; n <= 120; n++) log.call('bash', { command: `make ${n}` }, 'one\ntwo', { isError: n % 2 === 0 });
    await app.go(home.session(log));
    const open = () => page.locator('[data-testid="tool-head"][aria-expanded="true"]').count();
    expect(await open()).toBeGreaterThan(0);
    await page.keyboard.press('z');
    await expect.poll(open).toBe(0);
    await page.keyboard.press('Home');
    await expect(app.message(1)).toBeInViewport();
    await app.settled();
    expect(await open()).toBe(0);
    await app.message(1).getByTestId('tool-head').click();
    await expect.poll(open).toBe(1);
    await page.keyboard.press('Shift+Z');
    await expect(app.message(3).getByTestId('tool-output')).toBeVisible();
  });
});
