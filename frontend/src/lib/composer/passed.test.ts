// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { Passed } from './passed';

let element: HTMLElement;
let passed: Passed;

beforeEach(() => {
  element = document.createElement('div');
  passed = new Passed(element);
});

const blocksOf = (count: number) =>
  Array.from({ length: count }, () => ({ source: 'All is well.\n'.repeat(20), above: [] }));
const renderedOf = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = `${i} `;
    return [paragraph];
  });
const takeAll = (count: number) => {
  const rendered = renderedOf(count);
  const taken = passed.take(blocksOf(count), rendered);
  element.append(...rendered.slice(taken).flat());
  return taken;
};

test('of a leap, what is above the view stands in parts, in its order', () => {
  takeAll(1);
  const taken = takeAll(30);
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(30);
  expect(element.querySelectorAll('.passed > p')).toHaveLength(taken);
  const numbers = Array.from({ length: 30 }, (_, i) => `${i} `).join('');
  expect(element.textContent).toBe(`0 ${numbers}`);
});

test('what is first of all, and what may be in view, is laid out as it comes', () => {
  expect(takeAll(30)).toBe(0);
  expect(takeAll(4)).toBe(0);
  expect(element.querySelector('.passed')).toBeNull();
});

test('all of it is laid out for whoever goes back', () => {
  takeAll(1);
  takeAll(30);
  const before = element.textContent;
  passed.layOut();
  expect(element.querySelector('.passed')).toBeNull();
  expect(element.textContent).toBe(before);
});

test('of a long answer no more is left than can be laid out at once, and all of it stands there', () => {
  takeAll(1);
  const taken = takeAll(200);
  const left = element.querySelectorAll('.passed > p').length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(taken / 2);
  expect(element.querySelectorAll('p')).toHaveLength(201);
  passed.layOut();
  expect(element.querySelector('.passed')).toBeNull();
});
