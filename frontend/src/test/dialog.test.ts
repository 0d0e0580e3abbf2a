// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import Keys from '../features/shell/Keys.svelte';
import Rules from '../features/rules/Rules.svelte';
import Settings from '../features/settings/Settings.svelte';
import { App } from '../lib/app.svelte';
import { BackendError, type Backend, type Provider } from '../lib/backend';
import { choose } from '../lib/commands/commands';
import { fakeBackend, ID, later, models, settled } from './fakes';
import Host from './Host.svelte';

const onclose = vi.fn();

beforeEach(() => {
  onclose.mockReset();
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
    this.dispatchEvent(new Event('close'));
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

test('nor under another dialog: that one goes, so that the question is seen', async () => {
  await show(Settings);
  app.sheet = { kind: 'rules', id: ID };
  app.dialog = 'palette';
  await fireEvent.click(screen.getByTestId('add-provider'));
  await tick();
  await fireEvent.input(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: 'work' } });
  const onKeysClosed = vi.fn(() => (app.dialog = null));
  render(Host, {
    props: { app, of: Keys as unknown as Component<Record<string, unknown>>, props: { onclose: onKeysClosed } },
  });
  await tick();
  await choose(app, 'keys');
  expect(onKeysClosed).toHaveBeenCalledOnce();
  expect(screen.getByTestId('unsaved'), 'what lies below asks').not.toBeNull();
  expect(app.sheet, 'and stays').not.toBeNull();
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

const server = (name: string): Provider => ({
  ...models(),
  name,
  baseUrl: `http://${name}/v1`,
  model: 'm',
  window: null,
});
const field = (label: string): HTMLInputElement => screen.getByLabelText(label);
const type = (label: string, value: string) => fireEvent.input(field(label), { target: { value } });
const press = async (name: string) => {
  await fireEvent.click(screen.getByRole('button', { name }));
  await settled();
  await tick();
};
const serving = (inUse: string | null, ...providers: Provider[]) =>
  fakeBackend({
    models: () => Promise.resolve(models({ baseUrl: 'http://m/v1', inUse, providers })),
    setProvider: () => Promise.resolve(),
  });
async function become(backend: Backend) {
  app.backend.models = backend.models;
  await app.talks.models.load(false);
  await tick();
}

test('what was typed about a server stays where its form is shut and another is opened', async () => {
  const dialog = await show(Settings, serving('a', server('a'), server('b')));
  await press('Edit a');
  await type('Model', 'a-new-one');
  await press('Edit b');
  expect(screen.getAllByLabelText('Model').map((one) => (one as HTMLInputElement).value)).toEqual(['a-new-one', 'm']);
  await press('Edit a');
  expect(screen.getAllByLabelText('Model'), 'only that of b').toHaveLength(1);
  expect(screen.getAllByTestId('provider')[0]?.textContent).toContain('changed and not saved');
  expect(await escapes(dialog)).toBe(false);
  await press('Edit a');
  expect(screen.getAllByTestId('provider-form'), 'nothing was typed in the other').toHaveLength(1);
  expect(field('Model').value).toBe('a-new-one');
  await press('Add a provider');
  await type('Name', 'c');
  await press('Edit b');
  expect(field('Name').value).toBe('c');
});

test('what was typed about a server and discarded is brought back, as long as settings are open', async () => {
  await show(Settings, serving('a', server('a'), server('b')));
  await press('Edit a');
  await press('Cancel');
  expect(app.toasts.list, 'nothing was typed').toEqual([]);
  await press('Edit a');
  await type('Model', 'a-new-one');
  await press('Cancel');
  expect(screen.queryByTestId('provider-form')).toBeNull();
  app.toasts.undo();
  await tick();
  expect(field('Model').value).toBe('a-new-one');
  await press('Cancel');
  cleanup();
  expect(app.toasts.undoable).toBeNull();
});

test('a key that was typed stays where its server is removed, and where it is added again', async () => {
  await show(Settings, serving('b', server('a'), server('b')));
  await press('Edit a');
  await type('A new key', 'sk-1');
  await become(serving('b', server('b')));
  expect(field('A new key').value).toBe('sk-1');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Keep' }).disabled, 'for which server?').toBe(true);
  app.backend.models = serving('b', server('a'), server('b')).models;
  await press('Add it again');
  expect(field('A new key').value).toBe('sk-1');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Keep' }).disabled).toBe(false);
});

test('a key for the server without a name stays where another comes into use', async () => {
  await show(Settings, serving(null, server('b')));
  await fireEvent.click(screen.getAllByRole('button', { name: /^Edit/ })[0] as HTMLElement);
  await type('A new key', 'sk-1');
  await become(serving('b', server('b')));
  expect(field('A new key').value).toBe('sk-1');
});

test('what was removed here was removed here, whatever can be read of the others then', async () => {
  const backend = serving('b', server('a'), server('b'));
  await show(Settings, { ...backend, removeProvider: () => Promise.resolve('removed') });
  await press('Edit a');
  app.backend.models = () => Promise.reject(new BackendError('offline', 'no answer'));
  await press('Remove a');
  expect(screen.queryByTestId('provider-form')).toBeNull();
  expect(screen.getByTestId('settings-error').textContent).toContain('No answer');
  await become(serving('b', server('b')));
  expect(screen.getAllByTestId('provider')).toHaveLength(1);
  expect(screen.queryByTestId('provider-removed')).toBeNull();
});
