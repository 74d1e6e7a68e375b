import { describe, expect, it } from 'vitest';
import { readNewSecret, secretOf } from './secret-prompt.ts';

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

describe('a new secret', () => {
  const entered = (entries: string[], isTerminal: boolean, isStdin = !isTerminal) =>
    readNewSecret('Secret', { isTerminal, isStdin, read: async () => entries.shift() ?? 'not asked for' });

  it('is asked for twice at a terminal', async () => {
    expect(await entered(['a secret', 'a secret'], true)).toBe('a secret');
    await expect(entered(['a secret', 'a secert'], true)).rejects.toThrow('The two entries differ');
    expect(await entered(['a secret'], false)).toBe('a secret');
  });

  it('is none if nothing is entered at a terminal, but an empty input is a mistake', async () => {
    expect(await entered([''], true)).toBeUndefined();
    await expect(entered([''], false)).rejects.toThrow('No secret was entered');
  });

  it('is not read from an input that may be something else', async () => {
    const entries = ['the next line of a script'];
    expect(await entered(entries, false, false)).toBeUndefined();
    expect(entries).toHaveLength(1);
  });
});
