import { expect, test } from 'vitest';
import { linkOf } from './links';

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'wails://wails/',
  'about:blank',
  'blob:https://a.example/1',
  'ftp://a.example',
  '/api/sessions',
  '//evil.example',
  '#/s/x',
  'relative/path',
  '',
  'https://',
  `https://a.example/${'x'.repeat(5000)}`,
])('%j is no link', (href) => {
  expect(linkOf(href)).toBeNull();
});

test('a link says where it goes', () => {
  expect(linkOf('https://docs.example:8443/a?b#c')).toEqual({
    url: 'https://docs.example:8443/a?b#c',
    place: 'docs.example:8443',
  });
  expect(linkOf('mailto:a%40b@example.org')?.place).toBe('a@b@example.org');
});

test('credentials that make one host look like another are left out', () => {
  expect(linkOf('https://github.com@evil.example/login')).toEqual({
    url: 'https://evil.example/login',
    place: 'evil.example',
  });
});

test('mail is written, and nothing is attached to it', () => {
  const link = linkOf('mailto:a@b.example?subject=x%20y+z&attach=/etc/passwd&ATTACHMENT=~/.ssh/id&body=hi');
  expect(link?.url).toBe('mailto:a@b.example?subject=x%20y+z&body=hi');
  expect(linkOf('mailto:?bcc=a@b.example')).toBeNull();
  expect(linkOf('mailto:%E2%80%AEa@b.example')?.place).toBe('⟨RLO⟩a@b.example');
});

test('letters that look like others are shown as what they are', () => {
  expect(linkOf('https://аpple.com/')?.place).toMatch(/^xn--/);
});
