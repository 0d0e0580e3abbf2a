import { compacted, conversation, Log } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/shared';

test('what is found is counted, shown wherever it stands, and marked', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;

  await test.step('what a fold hides is opened while one stands at it, and closed again', async () => {
    const filler = Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n');
    const log = new Log()
      .user('Run it.')
      .assistant([{ type: 'thinking', text: 'First.\n\nThe thought of a needle.' }])
      .call('bash', { command: 'make' }, `${filler}\nneedle at the end of the output\n`);
    const id = home.session(log.user('Thanks.'));
    await app.open(id);
    await page.keyboard.press('Control+f');
    const field = page.getByTestId('find-field');
    await field.fill('needle');
    await expect(page.getByTestId('find-count')).toHaveText('1 of 2 messages');
    await expect(app.message(2).getByTestId('thinking')).toContainText('The thought of a needle.');
    await field.press('Enter');
    const card = app.message(3).getByTestId('tool-card');
    await expect(card).toContainText('needle at the end');
    const seen = () =>
      page.evaluate(() => {
        const [range] = [...(CSS.highlights.get('found-here') ?? [])] as Range[];
        const box = range?.getBoundingClientRect();
        return box !== undefined && box.top > 80 && box.bottom < innerHeight;
      });
    await expect.poll(seen).toBe(true);
    await field.press('Escape');
    await expect(card.getByTestId('tool-output'), 'closed again').toHaveCount(0);
    await page.keyboard.press('Home');
    await expect(app.message(2).getByTestId('thinking')).toBeVisible();
    await expect(app.message(2).getByTestId('thinking')).not.toContainText('The thought');
  });

  await test.step('a match outside of what the model sees switches the view', async () => {
    await app.go(home.session(compacted()));
    await page.getByTestId('view-model').click();
    await expect(page.getByTestId('transcript')).toHaveAttribute('data-view', 'model');
    await page.keyboard.press('Control+f');
    await page.getByTestId('find-field').fill('harbour');
    await expect(page.getByTestId('find-count')).toHaveText('1 of 1 message');
    await expect(page.getByTestId('transcript')).toHaveAttribute('data-view', 'model');
    await page.getByTestId('find-field').fill('question 1.');
    await expect(page.getByTestId('transcript')).toHaveAttribute('data-view', 'all');
    await expect(app.message(1)).toBeInViewport();
    await expect(page.getByTestId('find-field')).toBeFocused();
  });

  await test.step('in the rest of a message that came cut, it is read', async () => {
    const log = new Log()
      .user('x')
      .assistant(`${'All work and no play.\n'.repeat(120_000)}the needle`)
      .user('y');
    await app.go(home.session(log));
    await page.keyboard.press('Control+f');
    await page.getByTestId('find-field').fill('the needle');
    await expect(page.getByTestId('find-count')).toHaveText('1 of 1 message');
    const shown = () => page.evaluate(() => [...(CSS.highlights.get('found-here') ?? [])].map(String).join());
    await expect.poll(shown, { timeout: 20_000 }).toBe('the needle');
  });

  await test.step('of what shows every word, and every two that stand together, are counted and marked', async () => {
    const said = [
      'See [the docs](https://x.example/a "t"), then ~~never~~ now.',
      'Escaped \\*stars\\* and\n\n1\\. dots',
      'A list\n\n- one item\n- and `two`\n\n1. first\n2. second',
      '# Head **bold**\n\n> quoted <https://y.example> end',
      '300\u212a ma\u017ft Ma\u00dfe stra&amp;se',
    ].join('\n\n');
    await app.go(home.session(new Log().user('Go.').assistant(said).user('Thanks.')));
    const words = await app
      .message(2)
      .locator('.prose')
      .evaluate((prose) => (prose as HTMLElement).innerText.replace('x.example,', ',').split(/\s+/).filter(Boolean));
    expect(words.length).toBeGreaterThan(25);
    await page.keyboard.press('Control+f');
    // In the page, which is asked sixty times: what the field says of each is there with a frame.
    const missed = await page.getByTestId('find-field').evaluate(async (field: HTMLInputElement, words) => {
      const said = () => document.querySelector('[data-testid="find-said"]')?.textContent?.trim() ?? '';
      const until = async (done: () => boolean) => {
        for (const end = performance.now() + 10_000; !done() && performance.now() < end;)
          await new Promise(requestAnimationFrame);
        return done();
      };
      const ask = (query: string) => {
        field.value = query;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      };
      const marks = () => CSS.highlights.get('found')?.size ?? 0;
      const missed: string[] = [];
      for (const [n, word] of words.entries()) {
        for (const query of n > 0 ? [word, `${words[n - 1]} ${word}`] : [word]) {
          ask('');
          const isClear = await until(() => said() === '' && marks() === 0);
          ask(query);
          await until(() => said() !== '');
          const isMarked = await until(() => marks() > 0);
          if (!isClear || !said().includes('message') || !isMarked) missed.push(`${query}: ${said()}`);
        }
      }
      return missed;
    }, words);
    expect(missed).toEqual([]);
  });

  await test.step('what is found is marked as it is shown, whatever it was written as', async () => {
    const log = new Log().user('Go.').assistant('**Raise** the *flag* &amp; go\nhome.');
    log.call('bash', { command: 'make' }, '\u001b[31mfai\u001b[1mled\u001b[0m here');
    await app.go(home.session(log.assistant('Done.')));
    await page.keyboard.press('Control+f');
    const field = page.getByTestId('find-field');
    const marked = () => page.evaluate(() => [...(CSS.highlights.get('found-here') ?? [])].map(String).join('|'));
    await field.fill('raise the flag & go home');
    await expect(page.getByTestId('find-count')).toHaveText('1 of 1 message');
    await expect.poll(async () => (await marked()).replace(/\s+/g, ' ')).toBe('Raise the flag & go home');
    await field.fill('failed here');
    await expect(page.getByTestId('find-count')).toHaveText('1 of 1 message');
    await expect.poll(marked).toBe('failed here');
  });

  await test.step('find goes on and back, round the end, with its count, and leaves one at the match', async () => {
    const log = conversation(600);
    log.user('The needle is here.');
    for (let n = 0; n < 50; n++) log.assistant(`Filler ${n}.`);
    const id = home.session(log.user('A NEEDLE again.').assistant('The end.'));
    await app.go(id, 300);
    await page.keyboard.press('Control+f');
    const field = page.getByTestId('find-field');
    await expect(field).toBeFocused();
    await field.fill('needle');
    await expect(page.getByTestId('find-count')).toHaveText('1 of 2 messages');
    await expect(page.getByTestId('find-said')).toHaveText('1 of 2 messages');
    await expect(app.message(601)).toBeInViewport();
    await field.press('Enter');
    await expect(page.getByTestId('find-count')).toHaveText('2 of 2 messages');
    await expect(app.message(652)).toBeInViewport();
    await field.press('F3');
    await expect(app.message(601)).toBeInViewport();
    await field.press('Shift+Enter');
    await expect(app.message(652)).toBeInViewport();
    const marked = () =>
      page.evaluate(() => [...CSS.highlights].map(([name, ranges]) => [name, [...ranges].map(String)] as const));
    await expect.poll(marked).toContainEqual(['found-here', ['NEEDLE']]);

    await page.getByRole('button', { name: 'Mind upper and lower case' }).click();
    await expect(page.getByTestId('find-count')).toHaveText('1 of 1 message');
    await expect(app.message(601)).toBeInViewport();
    await looks(page, 'find');
    await field.press('Escape');
    await expect(page.getByTestId('find-bar')).toHaveCount(0);
    await expect(app.message(601)).toBeFocused();
    await expect(app.message(601)).toBeInViewport();
    expect(await marked()).toEqual([]);

    await page.keyboard.press('Control+f');
    await field.fill('no such thing');
    await expect(page.getByTestId('find-said')).toHaveText('not found');
  });
});

// The program counts in what was written, the page marks in what shows.
