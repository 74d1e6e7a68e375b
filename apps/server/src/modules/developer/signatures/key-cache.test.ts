import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { hourMs } from '@simcube/contract/time';
import { describe, expect, it } from 'vitest';
import { KeyCache } from './key-cache.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const now = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

/** Knows the key `own`; records what it is asked. */
const cacheOf = () => {
  const reads: string[][] = [];
  let running = 0;
  let mostAtOnce = 0;
  const cache = new KeyCache(async (ids) => {
    reads.push([...ids]);
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await Promise.resolve();
    running -= 1;
    if (ids.includes('broken')) throw new Error('no database');
    return new Map<string, KeyObject>(ids.includes('own') ? [['own', publicKey]] : []);
  });
  return { cache, reads, mostAtOnce: () => mostAtOnce };
};

describe('public keys', () => {
  it('are read only once', async () => {
    const { cache, reads } = cacheOf();
    for (const at of [now, later(hourMs)]) expect(await cache.find('own', at)).toBe(publicKey);
    expect(reads).toEqual([['own']]);
    cache.forget('own');
    await cache.find('own', now);
    expect(reads).toHaveLength(2);
  });

  it('are found among a flood of unknown ids, with one read at a time', async () => {
    const { cache, reads, mostAtOnce } = cacheOf();
    const flood = (from: number) =>
      Array.from({ length: 1000 }, (_, index) => cache.find(`no-${from + index}`, now));
    const first = flood(0);
    await Promise.resolve();
    const found = [...flood(1000), cache.find('own', now)];
    expect((await Promise.all(found)).at(-1)).toBe(publicKey);
    expect(await Promise.all(first)).not.toContain(publicKey);
    expect(reads.map((ids) => ids.length)).toEqual([1000, 1001]);
    expect(mostAtOnce()).toBe(1);
  });

  it('that are unknown are read again after ten seconds', async () => {
    const { cache, reads } = cacheOf();
    for (const after of [0, 9_999, 10_000]) expect(await cache.find('no', later(after))).toBeUndefined();
    expect(reads).toHaveLength(2);
  });

  it('are read again after a failed read', async () => {
    const { cache, reads } = cacheOf();
    await expect(cache.find('broken', now)).rejects.toThrow('no database');
    await expect(cache.find('broken', now)).rejects.toThrow('no database');
    expect(await cache.find('own', now)).toBe(publicKey);
    expect(reads).toEqual([['broken'], ['broken'], ['own']]);
  });
});
