// @vitest-environment jsdom
import Bookmark from '@lucide/svelte/icons/bookmark';
import Ellipsis from '@lucide/svelte/icons/ellipsis';
import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';

const drawn = (container: HTMLElement) => container.querySelector('svg') ?? document.createElement('svg');

test('an icon is drawn as Lucide draws it, and is nothing to a screen reader', () => {
  const svg = drawn(render(Ellipsis, { size: 14 }).container);
  expect([...svg.querySelectorAll('circle')].map((dot) => dot.getAttribute('cx'))).toEqual(['12', '19', '5']);
  expect(svg.getAttribute('width')).toBe('14');
  expect(svg.getAttribute('aria-hidden')).toBe('true');
});

test('an icon that says something has a name', () => {
  const svg = drawn(render(Bookmark, { fill: 'currentColor', role: 'img', 'aria-label': 'Saved' }).container);
  expect(svg.getAttribute('aria-hidden')).toBeNull();
  expect(svg.getAttribute('aria-label')).toBe('Saved');
  expect(svg.getAttribute('fill')).toBe('currentColor');
});
