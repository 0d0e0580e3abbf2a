import type { Page } from '@playwright/test';
import type { App } from './support/app';
import { Composer } from './support/composer';
import { kept } from './support/focus';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { compacted, conversation } from './support/log';
import type { Model } from './support/model';
import { PNG } from './support/pictures';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

test.use({ withModel: true });

interface Stage {
  app: App;
  home: Home;
  model: Model;
  page: Page;
  composer: Composer;
  /** Presses what is named with the keyboard alone, and waits for what comes of it. */
  press: (testid: string, done: () => Promise<unknown>, key?: string) => Promise<void>;
  /** Types a key where the focus is. */
  key: (key: string, done: () => Promise<unknown>) => Promise<void>;
}

const gone = (page: Page, testid: string) => () => expect(page.getByTestId(testid)).toHaveCount(0);
const there = (page: Page, testid: string) => () => expect(page.getByTestId(testid).first()).toBeVisible();

/** Things done one after another, each of which takes away what it was done with; by what they are of. */
const WALKS: Record<string, Record<string, (stage: Stage) => Promise<void>>> = {
  'of compactions, and what is looked for': {
    'a compaction undone and done again in its band': async ({ app, home, page, press }) => {
      await app.go(home.session(compacted()), 9);
      await press('undo-compaction', there(page, 'redo-compaction'));
      await expect(page.getByTestId('redo-compaction')).toBeFocused();
      // It is a compaction anew, at the end: the band that it was done in stays.
      await press('redo-compaction', () => expect(app.band(15)).toHaveAttribute('data-state', 'inForce'));
      await expect(app.band(9)).toBeFocused();
    },
    'a compaction undone from the question': async ({ app, home, page, key }) => {
      await app.go(home.session(compacted()));
      await app.message(13).focus();
      await key('u', there(page, 'toast'));
      await app.toast.getByRole('button', { name: 'Undo' }).focus();
      await key('Enter', () => expect(app.band(9)).toHaveAttribute('data-state', 'reverted'));
      await key('Control+z', () => expect(app.band(15)).toHaveAttribute('data-state', 'inForce'));
    },
    'a compaction accepted': async ({ app, home, model, page, key, press }) => {
      await app.go(home.session(conversation(40)));
      await app.message(40).focus();
      await key('c', there(page, 'review'));
      model.says('## Goal\n\nMy own summary.');
      await press('write', () => expect(page.getByTestId('editor')).toHaveValue(/My own summary/));
      await key('Control+Enter', gone(page, 'review'));
      await expect(page.getByTestId('compaction-band')).toContainText('My own summary.');
    },
    'a past compaction looked at from its band': async ({ app, home, page, press, key }) => {
      await app.go(home.session(compacted()), 9);
      await press('review-compaction', there(page, 'review'));
      await key('Escape', gone(page, 'review'));
      await expect(page.getByTestId('review-compaction')).toBeFocused();
    },
    'a search, a place that was found, and back': async ({ app, home, page, key }) => {
      await app.go(home.session(compacted(), { name: 'harbour' }));
      await app.message(13).focus();
      await key('Control+Shift+F', there(page, 'search'));
      await page.keyboard.type('harbour');
      await there(page, 'search-hit')();
      await key('Enter', () => expect(page.getByTestId('search-hit').first()).toBeFocused());
      await key('Enter', gone(page, 'search'));
      await key('Control+Shift+F', there(page, 'search'));
      await key('Escape', gone(page, 'search'));
    },
    'what is found in a conversation': async ({ app, home, page, key }) => {
      await app.go(home.session(compacted()));
      await app.message(13).focus();
      await key('Control+f', there(page, 'find-bar'));
      await page.keyboard.type('Answer 2');
      await key('Enter', there(page, 'find-bar'));
      await key('Escape', gone(page, 'find-bar'));
    },
  },
  'of answers, messages and rules': {
    'an answer that ends, one that is stopped, one that fails': async ({
      app,
      home,
      model,
      page,
      composer,
      key,
      press,
    }) => {
      await app.go(home.session(conversation(4)));
      let reply = model.reply();
      await composer.send('First.');
      reply.text('Well').done();
      await expect(app.message(6)).toContainText('Well');
      await kept(page, 'the answer ended');
      reply = model.reply();
      await composer.send('Second.');
      reply.text('On and on');
      await expect(composer.live).toContainText('On and on');
      await press('stop', () => expect(composer.stop).toHaveCount(0));
      model.reply().error(400, 'no');
      await composer.send('Third.');
      await there(page, 'retry')();
      model.says('Again.');
      await press('retry', gone(page, 'failure'));
      await expect(app.log).toContainText('Again.');
      await key('Tab', () => Promise.resolve());
    },
    'who reads the answer while it becomes a line of the log': async ({ app, home, model, page, composer }) => {
      await app.go(home.session(conversation(4)));
      const reply = model.reply();
      await composer.send('First.');
      reply.text('# Well\n\nIt goes on.');
      await expect(composer.live).toContainText('It goes on.');
      await composer.live.focus();
      await kept(page, 'on the answer');
      reply.done();
      await expect(app.message(6)).toContainText('It goes on.');
      await kept(page, 'the answer ended');
      await expect(app.message(6)).toBeFocused();
    },
    'messages withdrawn, images left out': async ({ app, home, model, page, composer, press }) => {
      await app.go(home.session(conversation(4)));
      const reply = model.reply().text('Slowly');
      await composer.send('First.');
      await expect(composer.live).toContainText('Slowly');
      await composer.send('Second.');
      await expect(composer.queued).toHaveCount(1);
      await page.getByRole('button', { name: 'Withdraw “Second.”' }).press('Enter');
      await expect(composer.queued).toHaveCount(0);
      await kept(page, 'the message is withdrawn');
      await expect(composer.field).toHaveValue('Second.');
      await page.getByTestId('attach-input').setInputFiles([{ name: 'p.png', mimeType: 'image/png', buffer: PNG }]);
      await page.getByRole('button', { name: 'Leave out p.png' }).press('Enter');
      await gone(page, 'attached')();
      await kept(page, 'the image is left out');
      await press('model', there(page, 'model-menu'));
      await page.keyboard.press('Escape');
      await kept(page, 'no other model');
      reply.done();
      await expect(composer.stop).toHaveCount(0);
      await kept(page, 'the answer ended');
    },
    'rules added and removed, and a question whether to throw them away': async ({ app, home, page, key, press }) => {
      const id = home.session(conversation(2), { cwd: home.dir });
      await app.go(id);
      await app.message(2).focus();
      await key('Shift+P', there(page, 'rules'));
      await press('add-rule', there(page, 'rule'));
      await page.keyboard.type('bash(make *)');
      await key('Escape', there(page, 'unsaved'));
      await page.getByRole('button', { name: 'Go on editing' }).focus();
      await key('Enter', gone(page, 'unsaved'));
      await page.getByRole('button', { name: /^Remove/ }).focus();
      await key('Enter', gone(page, 'rule'));
      await key('Escape', gone(page, 'rules'));
      await expect(app.message(2)).toBeFocused();
    },
  },
  'of the list': {
    'sessions archived, shown, put in the trash, restored': async ({ app, home, page, key, press }) => {
      const id = home.session(conversation(2), { name: 'only' });
      await app.start();
      await app.link(id).focus();
      await key('e', there(page, 'show-archived'));
      await press('show-archived', () => expect(app.session(id)).toBeVisible());
      await expect(app.link(id)).toBeFocused();
      await key('Delete', () => expect(app.session(id)).toHaveCount(0));
      await key('Shift+L', () => expect(app.session(id)).toBeVisible());
      await press('restore', () => expect(app.session(id)).toHaveCount(0));
      await key('Shift+L', () => expect(app.session(id)).toBeVisible());
    },
    'several sessions at once': async ({ app, home, page, key, press }) => {
      const [one = ''] = [1, 2, 3].map((n) => home.session(conversation(2), { name: `number ${n}` }));
      await app.start();
      await app.link(one).focus();
      await key('Control+a', there(page, 'bulk-bar'));
      await press('bulk-archive', gone(page, 'bulk-bar'));
      await key('Control+z', () => expect(app.session(one)).toBeVisible());
      await app.link(one).focus();
      await key('Control+a', there(page, 'bulk-bar'));
      await press('bulk-clear', gone(page, 'bulk-bar'));
      await app.link(one).focus();
      await key('Control+a', there(page, 'bulk-bar'));
      await press('bulk-trash', gone(page, 'bulk-bar'));
      await key('Control+z', () => expect(app.session(one)).toBeVisible());
    },
    'a toast dismissed': async ({ app, home, page, key }) => {
      const id = home.session(conversation(2), { name: 'one' });
      home.session(conversation(2, '2026-11-19T09:00:00Z'), { name: 'two' });
      await app.start();
      await app.link(id).focus();
      await key('e', there(page, 'toast'));
      await app.toast.getByRole('button', { name: 'Close' }).focus();
      await key('Enter', gone(page, 'toast'));
    },
    'copies kept, removed and taken back': async ({ app, home, page, key }) => {
      foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look at the sky.'));
      await app.start();
      await app.link('claudecode:c').focus();
      await key('o', () => expect(app.session('claudecode:c')).toContainText('copy kept'));
      await key('Shift+O', () => expect(page.getByTestId('listed').getByTestId('copy')).toBeVisible());
      await page.getByRole('button', { name: /^Remove the copy/ }).focus();
      await key('Enter', () => expect(page.getByRole('button', { name: /^Undo: do not remove/ })).toBeVisible());
      await key('Escape', () => expect(page.locator('dialog')).toHaveCount(0));
    },
    'saved searches named and deleted': async ({ app, home, page, key }) => {
      home.session(compacted(), { name: 'harbour' });
      await app.start();
      await key('Control+Shift+F', there(page, 'search'));
      await page.keyboard.type('harbour');
      await there(page, 'search-hit')();
      await page.getByRole('button', { name: 'Save this search' }).focus();
      await key('Enter', () => expect(page.getByRole('button', { name: 'This search is saved' })).toBeVisible());
      await page.getByRole('button', { name: 'Clear the field' }).focus();
      await key('Enter', () => expect(page.getByRole('button', { name: /^Delete harbour/ })).toBeVisible());
      await page.getByRole('button', { name: /^Rename harbour/ }).focus();
      await key('Enter', () => expect(page.getByLabel(/^New name of harbour/)).toBeFocused());
      await key('Escape', () => expect(page.getByLabel(/^New name of harbour/)).toHaveCount(0));
      await page.getByRole('button', { name: /^Delete harbour/ }).focus();
      await key('Enter', () => expect(page.getByRole('button', { name: /^Delete harbour/ })).toHaveCount(0));
    },
  },
};

for (const [what, walks] of Object.entries(WALKS)) {
  const one = what === 'of the list' ? test : shared;
  one(`by keys, without losing the focus: ${what}`, async ({ app, home, model }) => {
    const { page } = app;
    const key = async (key: string, done: () => Promise<unknown>) => {
      await page.keyboard.press(key);
      await done();
      await kept(page, key);
    };
    const press = async (testid: string, done: () => Promise<unknown>, with_ = 'Enter') => {
      await page.getByTestId(testid).first().focus();
      await key(with_, done);
    };
    await app.start();
    for (const [name, walk] of Object.entries(walks)) {
      await test.step(name, () => walk({ app, home, model, page, composer: new Composer(page), press, key }));
    }
  });
}
