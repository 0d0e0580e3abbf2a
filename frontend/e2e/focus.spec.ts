import { writeFileSync } from 'node:fs';
import { focused, kept, press } from './support/focus';
import { compacted, conversation } from './support/log';
import { expect, test } from './support/test';

test('a long way by keys alone: the focus is never lost', async ({ app, home }) => {
  test.slow();
  const { page } = app;
  const id = home.session(compacted(), { name: 'harbour' });
  for (const day of ['19', '18', '17', '16']) {
    home.session(conversation(4, `2026-11-${day}T09:00:00Z`), { name: `day ${day}` });
  }
  await app.start();
  const go = async (key: string, done?: () => Promise<unknown>) => {
    await press(page, key);
    await done?.();
    await kept(page, key);
  };
  const title = (name: string) => () => expect(page.getByTestId('title')).toHaveText(name);
  const dialog = (there: boolean) => () => expect(page.locator('dialog')).toHaveCount(there ? 1 : 0);

  await go('l');
  await go('ArrowDown');
  await go('Enter', title('day 19'));
  await go('Alt+ArrowDown', title('day 18'));
  await go('Alt+ArrowUp', title('day 19'));
  await go('t');
  await go('k');
  await go('Alt+ArrowUp', title('harbour'));
  await app.settled();
  for (const key of ['k', 'k', 'm', 'm', 'Home', 'End']) await go(key);
  for (const key of ['F6', 'F6', 'F6', 'Shift+F6', 'Shift+F6']) await go(key);
  await go('x');
  await go(']', () => expect(app.context).toBeHidden());
  await go(']', () => expect(app.context).toBeVisible());
  await go('l');
  await go('[', () => expect(app.library).toBeHidden());
  await go('[', () => expect(app.library).toBeVisible());
  await go('/', () => expect(app.filter).toBeFocused());
  await page.keyboard.type('day 1');
  await go('Escape', () => expect(app.filter).toHaveValue(''));
  await go('Escape');

  await go('?', dialog(true));
  await go('Tab');
  await go('Enter', dialog(false));
  await go('Control+k', dialog(true));
  await page.keyboard.type('day 17');
  await go('Enter', title('day 17'));
  await go('Control+g', dialog(true));
  await page.keyboard.type('2');
  await go('Enter', () => expect(app.message(2)).toBeFocused());
  await go('c', () => expect(page.getByTestId('review')).toBeVisible());
  await go('Tab');
  await go('Escape', () => expect(page.getByTestId('review')).toHaveCount(0));

  // Rows that go away.
  await go('l');
  await go('F2', () => expect(page.getByTestId('rename')).toBeFocused());
  await page.keyboard.type('renamed');
  await go('Enter', () => expect(app.session(id)).toContainText('renamed'));
  await go('e', () => expect(app.session(id)).toHaveCount(0));
  await go('Control+z', () => expect(app.session(id)).toBeVisible());
  await go('l');
  await go('Home');
  await go('Delete', () => expect(app.session(id)).toHaveCount(0));
  await go('Control+z', () => expect(app.session(id)).toBeVisible());
  await go('l');
  await go('Home');
  await go('Delete', () => expect(app.session(id)).toHaveCount(0));
  await go('Shift+L', () => expect(app.session(id)).toBeVisible());
  await go('l');
  await go('Enter', () => expect(app.session(id)).toHaveCount(0));
  await go('Shift+L', () => expect(app.session(id)).toBeVisible());
  await go('l');
  await go('Shift+F10', () => expect(page.getByRole('menu')).toBeVisible());
  await go('Escape', () => expect(page.getByRole('menu')).toHaveCount(0));
  await go('h', title('Palimpsest'));
});

test('the focus is where it was, or where it is meant to be', async ({ app, home }) => {
  const { page } = app;

  await test.step('what another program takes away does not take the focus with it', async () => {
    const id = home.session(compacted(), { name: 'harbour' });
    const other = home.session(conversation(4, '2026-11-19T09:00:00Z'), { name: 'another' });
    await app.open(id);
    await app.link(id).focus();
    await home.run(['rm', id]);
    await expect(app.session(id)).toHaveCount(0);
    await kept(page, 'the row went');
    expect(await focused(page)).toContain('another');

    await page.keyboard.press('Enter');
    await app.settled();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await expect.poll(() => focused(page)).toContain('message');
    await home.run(['rm', other]);
    await expect(page.getByTestId('gone')).toBeVisible();
    await kept(page, 'the conversation went');
  });

  await test.step('where the last message goes away, the one before it has the focus', async () => {
    const id = home.session(conversation(6));
    await app.go(id);
    await app.message(6).focus();
    writeFileSync(home.path(id, 'session.jsonl'), conversation(4).text());
    await expect(app.message(6)).toHaveCount(0);
    await expect(app.message(4)).toBeFocused();
  });

  await test.step('a dialog keeps the focus, and gives it back whichever way it closes', async () => {
    const id = home.session(compacted(), { name: 'harbour' });
    await app.go(id);
    await app.message(13).focus();
    for (const [open, testid] of [
      ['?', 'keys-dialog'],
      ['Control+k', 'palette-dialog'],
      ['Control+g', 'go-to-dialog'],
    ] as const) {
      for (const close of ['key', 'backdrop'] as const) {
        await page.keyboard.press(open);
        await expect(page.getByTestId(testid)).toBeVisible();
        for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
          await page.keyboard.press(key);
          const inside = await page.evaluate(() => Boolean(document.activeElement?.closest('dialog')));
          expect(inside, `${key} in ${testid}`).toBe(true);
        }
        if (close === 'key') await page.keyboard.press('Escape');
        else await page.mouse.click(5, 300);
        await expect(page.getByTestId(testid)).toHaveCount(0);
        await expect(app.message(13), `${testid} closed by ${close}`).toBeFocused();
      }
    }
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Close' }).click();
    await expect(app.message(13)).toBeFocused();
  });

  await test.step('keys that come faster than frames are meant for where they are typed', async () => {
    const id = home.session(conversation(4), { name: 'harbour' });
    await app.go(id);
    // As on a busy machine: between the two nothing is drawn.
    await page.evaluate(() => {
      for (const key of ['l', 'F2']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    const field = page.getByTestId('rename');
    await expect(field).toBeFocused();
    await kept(page, 'after l and F2');
    await expect(field).toBeFocused();
    await page.keyboard.type('lights');
    await page.keyboard.press('Enter');
    await expect(app.session(id)).toContainText('lights');
  });

  await test.step('whoever comes into the conversation by Tab sees where the focus is, also just after a jump', async () => {
    await app.start();
    await page.getByTestId('add-sample').click();
    await app.settled();
    await page.goto(`${page.url()}/71`);
    await expect(app.band(71)).toBeInViewport();
    await app.settled();
    await page.getByTestId('compact').focus();
    await page.keyboard.press('Tab');
    const stop = app.log.locator(':focus');
    await expect(stop).toHaveCount(1);
    await app.settled();
    await expect(stop).toBeInViewport();
  });

  await test.step('a panel over the conversation takes the focus, and Escape gives it back', async () => {
    await page.setViewportSize({ width: 720, height: 600 });
    const id = home.session(compacted(), { name: 'harbour' });
    await app.visit();
    await app.go(id);
    await app.message(13).focus();
    for (const [key, panel] of [
      ['[', app.library],
      [']', app.context],
    ] as const) {
      await expect(panel).toBeHidden();
      await page.keyboard.press(key);
      await expect(panel).toBeVisible();
      await expect.poll(() => panel.evaluate((one) => one.contains(document.activeElement))).toBe(true);
      await page.keyboard.press('Escape');
      await expect(panel).toBeHidden();
      await expect(app.message(13)).toBeFocused();
    }
    await page.getByTestId('toggle-library').focus();
    await page.keyboard.press('Enter');
    await expect(app.library).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('toggle-library')).toBeFocused();
  });
});
