import { conversation } from './support/log';
import { look } from './support/look';
import { expect, test } from './support/test';

test('a text that nobody could read is found by who looks at a screen', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(conversation(2)));
  await look(page, 'as it is');
  await page.evaluate(() => {
    const pale = document.createElement('p');
    pale.textContent = 'Pale on white';
    pale.style.cssText = 'position: fixed; top: 40%; left: 40%; background: #fff; color: #ddd';
    document.querySelector('main')?.append(pale);
  });
  await expect(look(page, 'with a pale text')).rejects.toThrow(/color-contrast/);
});
