import { parseOptions } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { createHasher, HasherBusy } from './passwords.hasher.ts';

it('hashes with argon2id at the chosen cost and a salt of its own each time', async () => {
  const hasher = createHasher();
  const [one, two] = await Promise.all([hasher.hash('abc12!'), hasher.hash('abc12!')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(parseOptions(one).saltLen).toBeGreaterThanOrEqual(16);
  expect(await hasher.verify(one, 'abc12!')).toBe(true);
  expect(await hasher.verify(one, 'abc12?')).toBe(false);
  expect(hasher.isOutdated(one)).toBe(false);
  expect(hasher.isOutdated(one.replace('t=2', 't=1'))).toBe(true);
});

it('returns false without a stored hash, even for the password of the dummy hash', async () => {
  const hasher = createHasher();
  expect(await hasher.verify(undefined, 'abc12!')).toBe(false);
  expect(await hasher.verify(undefined, 'nobody has this password')).toBe(false);
});

it('rejects immediately when too many are waiting, and processes the others', async () => {
  const hasher = createHasher({ running: 2, waiting: 6 });
  const stored = await hasher.hash('abc12!');
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => hasher.verify(stored, 'abc12!')));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(20 - 8);
  expect(refused.every((result) => result.reason instanceof HasherBusy)).toBe(true);
  expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(8);
  expect(await hasher.verify(stored, 'abc12!')).toBe(true);
});
