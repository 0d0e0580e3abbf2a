import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { App } from './support/app';
import { Composer } from './support/composer';
import { harmless, RLO } from './support/harmless';
import type { Home } from './support/home';
import { BIDI, HOSTILE, NAME } from './support/hostile';
import { conversation, Log } from './support/log';
import type { Model } from './support/model';
import { expect, test } from './support/test';

test.use({ withModel: true });

interface Stage {
  app: App;
  page: Page;
  home: Home;
  model: Model;
  composer: Composer;
  /** A folder for tools, which goes with the test. */
  folder: string;
}

/** What reorders and hides of it, without the controls that a terminal, or a path, takes out. */
const PRINTED = BIDI.replaceAll(/\p{Cc}/gu, '');
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" onload="window.ran = 60">
<script>window.ran = 61</script><image x:href="http://evil.example/svg.png"/><style>@import "http://evil.example/svg.css";</style></svg>`;

/** Where somebody else's text is shown, by how to come there; each returns what has to name what it hides. */
const PLACES: Record<string, Record<string, (stage: Stage) => Promise<Locator | null>>> = {
  'in an answer': {
    'an answer that is being written, and what it thinks': async ({ app, home, model, composer }) => {
      await app.open(home.session(conversation(2)));
      const reply = model.reply();
      await composer.send('Say it.');
      await reply.asked;
      for (const piece of HOSTILE.match(/.{1,40}/gs) ?? []) reply.thinking(piece).text(piece);
      reply.text(`\n\nThe end of it: ${BIDI}`);
      await expect(composer.live).toContainText('The end of it');
      await composer.live.getByTestId('thinking').getByRole('button').first().click();
      return composer.live;
    },
    'the same once it is a line of the log': async ({ app, home, model, composer }) => {
      await app.open(home.session(conversation(2)));
      const reply = model.reply();
      await composer.send(`Say it: ${BIDI}`);
      reply.text(`${HOSTILE}\n\nThe end of it: ${BIDI}`).done();
      await expect(app.message(4)).toContainText('The end of it');
      return app.message(4);
    },
    'what a provider says went wrong': async ({ app, page, home, model, composer }) => {
      await app.open(home.session(conversation(2)));
      model.reply().error(400, `${BIDI} ${NAME} ${HOSTILE.slice(0, 400)}`);
      await composer.send('Hello.');
      // The program has taken out what hides before it tells of it.
      await expect(page.getByTestId('failure')).toContainText('invoicefdp.exe');
      return null;
    },
    'a provider that is busy': async ({ app, page, home, model, composer }) => {
      await app.open(home.session(conversation(2)));
      model.reply().error(429, `${BIDI} ${NAME}`, { headers: { 'Retry-After': '30' } });
      await composer.send('Hello.');
      await expect(page.getByTestId('retrying')).toContainText('invoicefdp.exe');
      return null;
    },
    // Stopped, what waits is asked at once: that would take the reply of what comes after it.
    'messages that wait': async ({ app, home, model, composer }) => {
      await app.open(home.session(conversation(2)));
      model.reply().text('Slowly');
      await composer.send('First.');
      await expect(composer.live).toContainText('Slowly');
      await composer.field.fill(`${NAME} ${BIDI}`);
      await composer.field.press('Enter');
      return composer.queued;
    },
  },
  'of a tool': {
    'a command that asks': async ({ app, page, home, model, composer, folder }) => {
      await app.open(home.session(conversation(2), { cwd: folder }));
      model
        .reply()
        .toolCall('bash', { command: `rm ${BIDI} # ${NAME}` })
        .done();
      await composer.send('Clean up.');
      return page.getByTestId('approval-command');
    },
    'a path that asks': async ({ app, page, home, model, composer, folder }) => {
      await app.open(home.session(conversation(2), { cwd: folder }));
      model.reply().toolCall('write', { path: PRINTED, content: HOSTILE }).done();
      await composer.send('Write.');
      return page.getByTestId('approval');
    },
    'a tool that there is not': async ({ app, home, model, composer, folder }) => {
      await app.open(home.session(conversation(2), { cwd: folder }));
      model
        .reply()
        .toolCall(`bash${BIDI}`, { [NAME]: NAME, command: BIDI })
        .done();
      model.says('There is no such tool.');
      await composer.send('Use it.');
      await expect(app.log).toContainText('There is no such tool.');
      return app.log.getByTestId('tool-card').first();
    },
  },
  'in a conversation': {
    'raw JSON and source': async ({ app, page, home }) => {
      await app.open(home.session(new Log().user(`${BIDI} ${HOSTILE}`).assistant(NAME)), 1);
      await app.message(1).focus();
      await page.keyboard.press('Shift+S');
      return app.row(1);
    },
    'a picture that is a script': async ({ app, page, home }) => {
      const id = home.session(conversation(2));
      const block = (mediaType: string) => ({ type: 'image', mediaType, blob: home.blob(id, SVG), name: BIDI });
      const content = ['image/svg+xml', 'image/png', `image/${BIDI}`].map(block);
      await home.run(['append', id], `${JSON.stringify({ recordType: 'message', role: 'user', content })}\n`);
      await app.open(id);
      await expect(app.message(3).getByRole('status')).toHaveCount(1);
      await expect(page.locator('main img')).toHaveCount(0);
      return app.message(3);
    },
    'a list of prompts': async ({ app, page, home }) => {
      await app.open(home.session(new Log().user(`${BIDI} ${NAME}`).assistant('Yes.').user(NAME)));
      await page.keyboard.press('p');
      return page.getByTestId('prompts-list');
    },
    'a compaction that was made': async ({ app, page, home }) => {
      const log = conversation(6).compaction(3, `${HOSTILE}\n\n${BIDI}`, {
        model: NAME,
        trigger: BIDI,
        instructions: `${NAME} ${BIDI}`,
        readFiles: [BIDI],
        modifiedFiles: [NAME],
      });
      await app.open(home.session(log), 7);
      await app.band(7).getByTestId('review-compaction').click();
      return page.getByTestId('review');
    },
    'a compaction that is being prepared': async ({ app, page, home, model }) => {
      const log = conversation(30);
      for (let n = 0; n < 8; n++)
        log.user(`${HOSTILE} ${BIDI}`).call(`bash${BIDI}`, { command: BIDI, path: NAME }, NAME);
      await app.open(home.session(log, { name: NAME, cwd: `/srv/${BIDI}` }));
      await page.keyboard.press('c');
      model.says(`## Goal\n\n${HOSTILE}\n\n${BIDI}`);
      await page.getByTestId('write').click();
      await expect(page.getByTestId('editor')).toHaveValue(/invoice/);
      await page.getByRole('tab', { name: 'Preview' }).click();
      return null;
    },
  },
  'in a list': {
    'the palette': async ({ app, page, home }) => {
      home.session(conversation(2), { name: NAME, cwd: `/srv/${BIDI}` });
      await app.start();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('img');
      return page.getByRole('option').first();
    },
    'searches that were saved': async ({ app, page, home }) => {
      home.session(new Log().user(`needle ${BIDI}`), { name: `needle ${NAME}` });
      await app.start();
      await page.keyboard.press('Control+Shift+F');
      await page.getByRole('textbox').last().fill(`"${PRINTED}"`);
      await page.getByRole('button', { name: 'Save this search' }).click();
      await page.getByRole('button', { name: 'Clear the field' }).click();
      return page.getByTestId('search');
    },
    'what just happened': async ({ app, page, home }) => {
      const id = home.session(conversation(2), { name: 'plain' });
      await app.start();
      await home.run(['rename', id, `${PRINTED} <img src=x onerror=window.ran=62>`]);
      await expect(app.session(id)).toContainText(RLO);
      await app.menu(id, 'Archive');
      await expect(app.toast).toContainText('is archived');
      return page.getByTestId('toast').last();
    },
  },
  'in what a server says': {
    'the models of a server': async ({ app, page, home, model }) => {
      model.models.push(`gpt-${BIDI}`, NAME);
      await app.open(home.session(conversation(2)));
      await page.getByTestId('model').click();
      return page.getByTestId('model-menu');
    },
    'what could not be done': async ({ app, page, home }) => {
      const id = home.session(conversation(2), { name: 'plain' });
      await app.start();
      await page.route('**/api/sessions/*', (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 500, json: { error: { code: 'failed', message: `${BIDI} ${NAME}`, hint: BIDI } } })
          : route.continue(),
      );
      await app.menu(id, 'Archive');
      return page.getByTestId('toast').last();
    },
  },
  'in settings': {
    'settings that make no sense': async ({ app, page, home }) => {
      home.config(`theme: ${JSON.stringify(`${BIDI} ${NAME}`)}\n`);
      await app.start();
      await expect(page.getByTestId('home')).toContainText('invoice');
      return null;
    },
  },
  'in rules': {
    'rules for tools': async ({ app, page, home, folder }) => {
      home.config(`permissions:\n  deny: [${JSON.stringify(`bash(rm ${BIDI})`)}]\n`);
      await app.open(home.session(conversation(2), { cwd: folder }));
      await page.keyboard.press('Shift+P');
      return page.getByTestId('inherited-rules');
    },
  },
};

for (const [where, ways] of Object.entries(PLACES)) {
  test(`hostile text does nothing, and shows as what it is: ${where}`, async ({ app, home, model, page }) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-work-')));
    try {
      for (const [name, way] of Object.entries(ways)) {
        await test.step(name, async () => {
          const place = await way({ app, page, home, model, composer: new Composer(page), folder });
          if (place) await expect(place).toContainText(RLO);
          await harmless(page);
          // What was opened there would lie over the next.
          await page.keyboard.press('Escape');
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
