import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { App as AppState } from './lib/app.svelte';
import type { Backend } from './lib/backend';
import './styles/tokens.css';
import './styles/base.css';
import './styles/terminal.css';
import './styles/prose.css';
import './styles/code.css';
import './styles/forced.css';

/** Shows the window. */
export function show(backend: Backend): void {
  const target = document.getElementById('app');
  if (target) mount(App, { target, props: { app: new AppState(backend) } });
}
