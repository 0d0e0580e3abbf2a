import { Log } from './support/log';
import { expect, test } from './support/shared';

const TARGET = 'https://user:secret@evil.example/path?q=1#frag';

test('a link shows where it goes, and asks before it opens', async ({ app, home, context, conduct }) => {
  const { page } = app;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Nobody is really asked: the window that opens is answered here.
  await context.route('https://evil.example/**', (route) => route.fulfill({ body: 'answered by the test' }));
  const log = new Log().user(`See [https://bank.example](${TARGET}) and [mail](mailto:a@b.example).`);
  await app.open(home.session(log));

  const link = app.message(1).getByRole('link').first();
  await expect(link, 'the place it really goes to stands beside its text').toContainText('evil.example');
  await link.click();
  const question = page.getByTestId('link-question');
  await expect(question).toContainText('Open this link?');
  await expect(question.getByTestId('link-place')).toHaveText('evil.example');
  await expect(question.locator('code')).toHaveText('https://evil.example/path?q=1#frag');
  expect(conduct.windows).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  expect(conduct.foreign).toEqual([]);

  // With the middle button or with a key nothing opens by itself either.
  await link.click({ button: 'middle' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('open-link')).toBeFocused();
  await question.getByRole('button', { name: 'Copy link' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://evil.example/path?q=1#frag');
  expect(conduct.windows).toEqual([]);

  await link.click();
  const opens = context.waitForEvent('page');
  await page.getByTestId('open-link').click();
  const opened = await opens;
  await expect(opened.locator('body')).toHaveText('answered by the test');
  expect(await opened.evaluate(() => window.opener as unknown)).toBeNull();
  expect(await opened.evaluate(() => document.referrer)).toBe('');
  expect(opened.url()).toBe('https://evil.example/path?q=1#frag');
  expect(conduct.foreign, 'one request, without what stands before the @').toEqual(['https://evil.example/path?q=1']);
  conduct.foreign.length = 0;
});

test('addresses of other kinds are text', async ({ app, home }) => {
  const kinds = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '/api/config',
    '//evil.example',
    'vbscript:x',
  ];
  const log = new Log().user(kinds.map((kind, n) => `[place ${n}](${kind})`).join(' and '));
  await app.open(home.session(log));
  await expect(app.message(1)).toContainText('place 0 and place 1');
  await expect(app.message(1).getByRole('link')).toHaveCount(0);
});

test('a host of letters that look like others shows as what it is', async ({ app, home, conduct }) => {
  await app.open(
    home.session(new Log().user('[bank.example](https://b\u0430nk.example/) \u2067[x](https://evil.example)')),
  );
  const link = app.message(1).getByRole('link').first();
  await expect(link).toContainText(/xn--\S+\.example/);
  expect(await link.getAttribute('title')).toMatch(/^https:\/\/xn--/);
  await link.click();
  await expect(app.page.getByTestId('link-place')).toHaveText(/^xn--\S+\.example$/);
  await app.page.keyboard.press('Escape');
  // An isolate that nothing ends would turn what follows around.
  await expect(app.message(1)).toContainText('⟨RLI⟩');
  expect(conduct.windows).toEqual([]);
});
