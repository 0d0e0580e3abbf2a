import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { icons } from './scripts/icons.js';

export default {
  preprocess: [icons, vitePreprocess()],
  compilerOptions: { runes: true },
};
