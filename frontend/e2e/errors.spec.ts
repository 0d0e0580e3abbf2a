import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { conversation } from './support/log';
import { Program } from './support/program';
import { expect, test } from './support/test';

/** Holds a session's lock as another program that writes to it would. */
async function hold(lock: string): Promise<() => Promise<void>> {
  writeFileSync(lock, '', { flag: 'a' });
  const child = spawn('flock', [lock, 'sh', '-c', 'echo held; read -r line'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async () => {
    const ended = once(child, 'exit');
    child.stdin.end('\n');
    await ended;
  };
}

test('a page whose program has ended says so, and goes on by itself when it is back', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(conversation(4), { name: 'steady' });
  await app.open(id);
  const listen = new URL(program.origin).host;
  expect(await program.stop()).toBe(0);

  await app.link(id).focus();
  await page.keyboard.press('F2');
  await page.getByTestId('rename').fill('lost?');
  await page.keyboard.press('Enter');
  await expect(app.toast).toContainText('Palimpsest does not answer.');
  await expect(app.toast).toContainText('Check that the program still runs');
  await expect(app.session(id)).toContainText('steady');
  await expect(app.message(4), 'what was read stays').toContainText('Answer 4.');

  const again = await Program.start(home.dir, { listen });
  try {
    const line = JSON.stringify({ recordType: 'message', role: 'user', content: [{ type: 'text', text: 'Back.' }] });
    await home.run(['append', id], line);
    await expect(app.message(5)).toBeVisible({ timeout: 20_000 });
    await home.run(['rename', id, 'steady again']);
    await expect(app.session(id)).toContainText('steady again');
  } finally {
    expect(await again.stop()).toBe(0);
  }
});

test('a page that is opened while the program is gone can be tried again', async ({ app, home, page, program }) => {
  home.session(conversation(2), { name: 'there' });
  await page.route('**/api/config', (route) => route.abort());
  await page.goto(program.url);
  await expect(page.getByTestId('error')).toContainText('Palimpsest does not answer.');
  await page.unroute('**/api/config');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(app.library).toContainText('there');
});

// With a page of its own: one that has shown the trash before knows the name of what is gone.
test('a conversation that is deleted while it is open says where it went', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(4), { name: 'short-lived' });
  await app.open(id);
  await home.run(['rm', id]);
  await expect(page.getByTestId('gone')).toContainText('This conversation is not here any more');
  await expect(app.session(id)).toHaveCount(0);
  await expect(page.getByTestId('title')).toHaveText('Palimpsest');
  await page.getByRole('button', { name: 'Look in the trash' }).click();
  await app.session(id).getByTestId('restore').click();
  await expect(app.message(4)).toBeVisible();
});

test.describe('while another program writes to a session', () => {
  test.use({ serveArgs: ['--wait', '300ms'] });

  test('changing it is refused with a reason, and nothing is lost', async ({ app, home }) => {
    const { page } = app;
    const id = home.session(conversation(4), { name: 'in use' });
    await app.open(id);
    const [log, metadata] = [home.log(id), home.metadata(id)];
    const release = await hold(home.path(id, 'lock'));
    const rename = async (name: string) => {
      await app.link(id).focus();
      await page.keyboard.press('F2');
      await page.getByTestId('rename').fill(name);
      await page.keyboard.press('Enter');
    };
    try {
      await rename('taken over');
      await expect(app.toast).toHaveClass(/error/);
      await expect(app.toast).toContainText('Busy');
      await expect(app.session(id)).toContainText('in use');
      expect(home.log(id)).toEqual(log);
      expect(home.metadata(id)).toMatchObject({ name: 'in use', lastMessageAt: metadata.lastMessageAt });
      await expect(app.message(4), 'reading goes on').toBeVisible();
    } finally {
      await release();
    }
    await rename('free again');
    await expect(app.session(id)).toContainText('free again');
    expect(home.metadata(id).name).toBe('free again');
  });
});
