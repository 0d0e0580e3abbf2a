import { conversation } from './support/log';
import { TOKEN } from './support/program';
import { expect, test } from './support/test';

test('without a token the page asks for it and shows nothing else', async ({ page, home, program }) => {
  home.session(conversation(2), { name: 'secret plan' });
  await page.goto(program.origin);
  await expect(page.getByTestId('sign-in')).toContainText('This page needs its token');
  await expect(page.locator('body')).not.toContainText('secret plan');
  for (const path of ['config', 'sessions', 'trash', 'events']) {
    expect((await fetch(`${program.origin}/api/${path}`)).status, path).toBe(401);
    expect((await program.ask(path, { token: 'wrong' })).status, path).toBe(401);
  }

  await page.getByTestId('token').fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('alert')).toContainText('That token was not accepted');
  // The whole address is as good as the token.
  await page.getByTestId('token').fill(program.url);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByTestId('session-row')).toContainText('secret plan');
});

test('a wrong token in the address leads to the same question', async ({ page, program }) => {
  await page.goto(`${program.origin}/#token=wrong`);
  await expect(page.getByTestId('sign-in')).toBeVisible();
  expect(page.url()).not.toContain('token');
});

test('the token leaves the address bar, the history and the requests at once', async ({ app, page, program }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await app.start();
  expect(page.url()).toBe(`${program.origin}/`);
  expect(asked.filter((url) => url.includes('/api/')).length).toBeGreaterThan(1);
  // A fragment is not sent; the browser only shows it with the first request.
  expect(asked.slice(1).filter((url) => url.includes(TOKEN))).toEqual([]);
  await page.reload();
  await expect(page.getByTestId('home')).toBeVisible();
  expect(page.url()).toBe(`${program.origin}/`);
});

test('whoever is at a conversation without a token comes back to it after signing in', async ({
  page,
  home,
  program,
  app,
}) => {
  const id = home.session(conversation(300));
  await page.goto(`${program.origin}/#/s/${id}/120`);
  await expect(page.getByTestId('sign-in')).toBeVisible();
  await page.getByTestId('token').fill(TOKEN);
  await page.keyboard.press('Enter');
  await expect(app.message(120)).toBeInViewport();
});

test('a page of another site gets no answer, and the page cannot be framed', async ({ program }) => {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const foreign = await fetch(`${program.origin}/api/config`, {
    headers: { ...headers, Origin: 'http://evil.example' },
  });
  expect(foreign.status).toBe(403);
  const page = await fetch(program.origin);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
});
