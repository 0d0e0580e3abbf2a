import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { parts } from './features/parts.svelte';
import { App as AppState } from './lib/app.svelte';
import type { Backend } from './lib/backend';
import { placeOf } from './lib/route.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/terminal.css';
import './styles/prose.css';
import './styles/code.css';
import './styles/forced.css';

/** Shows the window. */
export function show(backend: Backend): void {
  // What shows the conversation that the address names comes while all else is made; whoever shows it tells if it does not.
  if (placeOf(location.hash).session) parts.transcript.load().catch(() => undefined);
  const target = document.getElementById('app');
  if (target) mount(App, { target, props: { app: new AppState(backend) } });
}
