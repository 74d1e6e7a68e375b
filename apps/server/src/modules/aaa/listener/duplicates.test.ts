import { describe, expect, it } from 'vitest';
import { type AdmittedRequest, DuplicateCache } from './duplicates.ts';

const request = { source: '10.0.0.1:1024', identifier: 7, authenticator: 'a'.repeat(16) };
const answer = Buffer.from('answer');
const fresh = { reply: undefined, isForgotten: false };

/** Admits a request that must be new. */
const taken = (cache: DuplicateCache, facts: typeof request, now: number): AdmittedRequest => {
  const admitted = cache.admit({ ...facts, now });
  if (admitted === 'in-progress' || Buffer.isBuffer(admitted)) throw new Error('The request is not new');
  return admitted;
};

describe('repeated requests', () => {
  it('are new, then in progress, then answered with the stored response', () => {
    const cache = new DuplicateCache();
    const first = taken(cache, request, 0);
    expect(cache.admit({ ...request, now: 10 })).toBe('in-progress');
    first.reply = answer;
    expect(cache.admit({ ...request, now: 20 })).toEqual(answer);
  });

  it('get the same octets, even if the buffer they came from is reused', () => {
    const cache = new DuplicateCache();
    const shared = Buffer.from('before answer behind');
    taken(cache, request, 0).reply = shared.subarray(7, 13);
    shared.fill(0);
    expect(cache.admit({ ...request, now: 20 })).toEqual(answer);
  });

  it('are accepted again after shedding, and after 30 seconds', () => {
    const cache = new DuplicateCache();
    taken(cache, request, 0).isForgotten = true;
    taken(cache, request, 1).reply = answer;
    expect(cache.admit({ ...request, now: 31_000 })).toMatchObject(fresh);
  });

  it('are new with another source, identifier or authenticator', () => {
    const cache = new DuplicateCache();
    cache.admit({ ...request, now: 0 });
    for (const other of [{ source: '10.0.0.1:1025' }, { identifier: 8 }, { authenticator: 'b'.repeat(16) }]) {
      expect(cache.admit({ ...request, ...other, now: 1 })).toMatchObject(fresh);
    }
  });

  it('do not get the response to a request that replaced them', () => {
    const cache = new DuplicateCache();
    const second = { ...request, authenticator: 'b'.repeat(16) };
    const first = taken(cache, request, 0);
    taken(cache, second, 1);
    first.reply = answer;
    expect(cache.admit({ ...second, now: 2 })).toBe('in-progress');
  });

  it('are stored for a limited number of sources', () => {
    const cache = new DuplicateCache();
    for (let n = 0; n < 5000; n += 1) cache.admit({ ...request, source: `10.0.0.1:${n}`, now: n });
    expect(cache.admit({ ...request, source: '10.0.0.1:0', now: 5000 })).toMatchObject(fresh);
    expect(cache.admit({ ...request, source: '10.0.0.1:4999', now: 5000 })).toBe('in-progress');
  });

  it('are known as long as their source is used, however many other sources there are', () => {
    const cache = new DuplicateCache();
    taken(cache, request, 0).reply = answer;
    for (let n = 0; n < 10_000; n += 1) {
      cache.admit({ ...request, source: `10.0.0.2:${n}`, now: n });
      if (n % 1000 === 0) cache.admit({ ...request, identifier: 8, now: n });
    }
    expect(cache.admit({ ...request, now: 10_000 })).toEqual(answer);
  });
});
