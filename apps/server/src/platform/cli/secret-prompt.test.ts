import { expect, it } from 'vitest';
import { secretOf } from './secret-prompt.ts';

it.each([
  ['secret', 'secret'],
  ['\uFEFFsecret\r\n', 'secret'],
  ['ünïcode secret\n', 'ünïcode secret'],
  [' with spaces ', ' with spaces '],
])('a secret is its line without BOM and line end: %j', (line, secret) =>
  expect(secretOf(line)).toBe(secret),
);

it('a secret that is not UTF-8 is rejected', () => {
  const text = Buffer.from('Schl\u00fcssel', 'latin1').toString('utf8');
  expect(() => secretOf(text)).toThrow('not UTF-8');
});
