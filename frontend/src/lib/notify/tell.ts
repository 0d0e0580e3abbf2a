import type { App } from '../app.svelte';
import { text } from '../text';
import { visibleLine } from '../visible';
import { Notifier } from './notifier';

/** Tells of turns while nobody looks; returns a function that ends it. */
export function tellOfTurns(app: App): () => void {
  const { backend, connection, library, route, toasts, turnEvents } = app;
  const { notices } = backend;
  const notifier = new Notifier({
    notices,
    wanted: () => connection.config?.notifications ?? false,
    inFront: () => document.visibilityState === 'visible' && document.hasFocus(),
    nameOf: (id) => library.entry(id)?.title ?? text.app.name,
    isShown: (id) => app.opened?.id === id,
    sayHere: (id) => {
      const name = visibleLine(library.entry(id)?.title ?? text.app.name, 60);
      toasts.show(text.notify.asksIn(name), {
        label: text.notify.open,
        offer: () => {
          route.go(id);
        },
      });
    },
    offer: () => {
      toasts.show(text.notify.offer, { label: text.notify.allow, offer: () => app.attempt(() => notices.ask()) });
    },
  });
  const stops = [
    turnEvents.on(notifier),
    turnEvents.on(app.asking),
    notices.onOpen((session) => {
      route.go(session);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
