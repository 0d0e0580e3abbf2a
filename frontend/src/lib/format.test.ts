import { expect, test } from 'vitest';
import { bytes, cost, count, duration, lastFolder, plural, tokensShort } from './format';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k'],
  [1140, '1.1k'],
  [9949, '9.9k'],
  [98_112, '98k'],
  [999_499, '999k'],
  [1_000_000, '1M'],
  [1_250_000, '1.3M'],
])('%i tokens in short', (n, shown) => {
  expect(tokensShort(n)).toBe(shown);
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [52_638_515, '50.2 MB'],
  [1_048_575, '1 MB'],
  [5 * 1024 ** 4, '5 TB'],
])('%i bytes', (n, shown) => {
  expect(bytes(n)).toBe(shown);
});

test.each([0, 7, 999, 1000, 98_112, 999_999, 1_000_000, -1, -999, -1000, Number.MAX_SAFE_INTEGER, 1e21, 0.25, 1234.5])(
  '%d is grouped as the browser does',
  (n) => {
    expect(count(n)).toBe(new Intl.NumberFormat('en').format(n));
  },
);

test('numbers and what they count', () => {
  expect(count(98112)).toBe('98,112');
  expect(plural(1, 'message', 'messages')).toBe('1 message');
  expect(plural(2000, 'message', 'messages')).toBe('2,000 messages');
});

test.each([
  ['/home/u/work/gateway', 'gateway'],
  ['/home/u/work/gateway/', 'gateway'],
  ['C:\\Users\\u\\site', 'site'],
  ['/', '/'],
])('the last folder of %s', (path, folder) => {
  expect(lastFolder(path)).toBe(folder);
});

test.each([
  [0, '$0.00'],
  [0.000001, '< $0.00001'],
  [0.0042, '$0.0042'],
  [0.00123456, '$0.0012'],
  [0.01234, '$0.012'],
  [0.1, '$0.10'],
  [0.999, '$1.00'],
  [1.234, '$1.23'],
  [12_345.6, '$12,346'],
])('%f dollars', (n, shown) => {
  expect(cost(n)).toBe(shown);
});

test.each([
  [0, '0 s'],
  [59.6, '1 min 0 s'],
  [75, '1 min 15 s'],
  [7380, '2 h 3 min'],
])('%f seconds', (n, shown) => {
  expect(duration(n)).toBe(shown);
});
