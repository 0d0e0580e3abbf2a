// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import Rules from '../features/rules/Rules.svelte';
import Settings from '../features/settings/Settings.svelte';
import { App } from '../lib/app.svelte';
import type { Provider } from '../lib/backend';
import { choose } from '../lib/commands/commands';
import { fakeBackend, ID, later, models, settled } from './fakes';
import Host from './Host.svelte';

const onclose = vi.fn();

beforeEach(() => {
  onclose.mockReset();
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
});

let app: App;
const connected = () => fakeBackend({ models: () => Promise.resolve(models({ baseUrl: 'http://m/v1', model: 'm' })) });
async function show(of: unknown, backend = connected()) {
  app = new App(backend);
  render(Host, { props: { app, of: of as Component<Record<string, unknown>>, props: { id: ID, onclose } } });
  await settled();
  await tick();
  return document.querySelector('dialog') as HTMLDialogElement;
}
const beside = async (dialog: HTMLElement, from: Element = dialog) => {
  await fireEvent.pointerDown(from);
  await fireEvent.click(dialog);
};
/** Whether Escape would close it: the element does that itself unless it is told not to. */
const escapes = async (dialog: HTMLElement) => {
  const event = new Event('cancel', { cancelable: true });
  await fireEvent(dialog, event);
  return !event.defaultPrevented;
};

test('a press that began inside does not close a dialog', async () => {
  const dialog = await show(Rules);
  await beside(dialog, screen.getByTestId('rules'));
  expect(onclose).not.toHaveBeenCalled();
  expect(await escapes(dialog)).toBe(true);
  await beside(dialog);
  expect(onclose).toHaveBeenCalledOnce();
});

test.each([
  ['rules', Rules, 'add-rule', 'Rule'],
  ['settings', Settings, 'add-provider', 'Name'],
])('%s that are not saved are not dropped without a word', async (_, of, add, label) => {
  const dialog = await show(of);
  await fireEvent.click(screen.getByTestId(add));
  await tick();
  await fireEvent.input(screen.getByRole('textbox', { name: new RegExp(`^${label}`) }), { target: { value: 'bash' } });
  expect(await escapes(dialog)).toBe(false);
  await fireEvent.click(screen.getByRole('button', { name: 'Go on editing' }));
  expect(screen.queryByTestId('unsaved')).toBeNull();
  await beside(dialog);
  expect(onclose).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByRole('button', { name: 'Discard it' }));
  expect(onclose).toHaveBeenCalledOnce();
});

test('nor by what is chosen from a menu: it is done once that was discarded', async () => {
  await show(Settings);
  app.dialog = 'settings';
  await fireEvent.click(screen.getByTestId('add-provider'));
  await tick();
  await fireEvent.input(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: 'work' } });
  await choose(app, 'keys');
  expect(app.dialog, 'it asks first').toBe('settings');
  expect(screen.getByTestId('unsaved')).not.toBeNull();
  await choose(app, 'keys');
  expect(app.dialog).toBe('keys');
});

test('a server that another window removed is removed until it has been added again', async () => {
  const work: Provider = { ...models(), name: 'work', baseUrl: 'http://w/v1', window: null };
  const list = (providers: Provider[]) => models({ baseUrl: 'http://m/v1', inUse: 'else', providers });
  const added = later<undefined>();
  const backend = fakeBackend({ models: () => Promise.resolve(list([work])), setProvider: () => added.promise });
  await show(Settings, backend);
  await fireEvent.click(screen.getByRole('button', { name: 'Edit work' }));
  backend.models = () => Promise.resolve(list([]));
  await app.talks.models.load(false);
  await tick();
  expect(screen.getByTestId('provider-removed')).not.toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'Add it again' }));
  await tick();
  expect(screen.queryByTestId('provider-removed'), 'it is not added yet').not.toBeNull();
  expect(screen.queryByTestId('key-form')).toBeNull();
  backend.models = () => Promise.resolve(list([work]));
  added.resolve(undefined);
  await settled();
  await tick();
  expect(screen.queryByTestId('provider-form')).toBeNull();
});
