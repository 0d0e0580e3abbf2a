import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { conversation } from './support/log';
import { expect, test } from './support/test';

const MANY = 60;

/** So many conversations, the newest last; every third is about lamps. */
function many(home: Home): string[] {
  return Array.from({ length: MANY }, (_, n) => {
    const start = new Date(Date.UTC(2026, 8, 1 + n)).toISOString();
    return home.session(conversation(2, start), {
      name: `${n % 3 === 0 ? 'lamp' : 'tide'} ${n}`,
      cwd: `/srv/p${n % 2}`,
    });
  });
}

test('a long list that is filtered or arranged anew begins at its top, and its headings stand in line', async ({
  app,
  home,
}) => {
  const { page } = app;
  const ids = many(home);
  await app.start();
  await test.step('a long list that is filtered or arranged anew begins at its top', async () => {
    const list = app.library.locator('.scroller');
    const toEnd = () =>
      list.evaluate((element) => {
        element.scrollTop = element.scrollHeight;
      });
    const top = () => list.evaluate((element) => element.scrollTop);
    await toEnd();
    await expect(app.session(ids[0] ?? '')).toBeInViewport();
    await app.filter.fill('lamp');
    await expect(app.session(ids[57] ?? '')).toBeInViewport();
    await expect.poll(top).toBe(0);

    await toEnd();
    await expect.poll(top).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect.poll(top).toBe(0);
    await toEnd();
    await app.filter.blur();
    await page.keyboard.press('g');
    await page.getByRole('radio', { name: 'Project' }).check();
    await expect.poll(top).toBe(0);
  });
  await page.keyboard.press('Escape');
  await test.step('the heading that stays in view stands where the others do', async () => {
    const right = async (testid: string) => {
      const number = page.getByTestId(testid).first().locator('.num');
      const { x = 0, width = 0 } = (await number.boundingBox()) ?? {};
      return Math.round(x + width);
    };
    const among = await right('heading');
    await app.library.locator('.scroller').evaluate((element) => {
      element.scrollTop = 400;
    });
    await expect(page.getByTestId('heading-again')).toBeVisible();
    expect(await right('heading-again')).toBe(among);
  });
});

test('what is chosen looks so under the pointer, too, and what is done with many is come to in the order in which it stands', async ({
  app,
  home,
}) => {
  const { page } = app;
  const [first = '', second = ''] = [home.session(conversation(2)), home.session(conversation(2))];
  foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look at the sky.'));
  await app.start();
  await app.link(first).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await test.step('what is chosen looks so under the pointer, too', async () => {
    const ground = (id: string) => app.session(id).evaluate((row) => getComputedStyle(row).backgroundColor);
    await app.session(first).hover();
    expect(await ground(first)).toBe(await ground(second));
  });
  await test.step('what is done with many is come to in the order in which it stands', async () => {
    const boxes = await page
      .getByTestId('bulk-bar')
      .locator('.actions button')
      .evaluateAll((all) => all.map((button) => button.getBoundingClientRect()).map(({ x, y }) => ({ x, y })));
    expect(boxes).toHaveLength(4);
    expect(boxes).toEqual(boxes.toSorted((a, b) => a.y - b.y || a.x - b.x));
  });
});
