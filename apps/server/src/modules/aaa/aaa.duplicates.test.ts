import { describe, expect, it } from 'vitest';
import { DuplicateCache } from './aaa.duplicates.ts';

const request = { source: '10.0.0.1:1024', identifier: 7, authenticator: 'a'.repeat(16) };
const answer = Buffer.from('answer');

describe('requests that come again', () => {
  it('are new, then in progress, then answered with what was answered', () => {
    const cache = new DuplicateCache();
    expect(cache.admit({ ...request, now: 0 })).toBe('new');
    expect(cache.admit({ ...request, now: 10 })).toBe('in-progress');
    cache.settle({ ...request, answer });
    expect(cache.admit({ ...request, now: 20 })).toBe(answer);
  });

  it('are taken up anew when they were shed, and after half a minute', () => {
    const cache = new DuplicateCache();
    cache.admit({ ...request, now: 0 });
    cache.settle({ ...request, answer: undefined });
    expect(cache.admit({ ...request, now: 1 })).toBe('new');
    cache.settle({ ...request, answer });
    expect(cache.admit({ ...request, now: 31_000 })).toBe('new');
  });

  it('are others when source, identifier or authenticator is another', () => {
    const cache = new DuplicateCache();
    cache.admit({ ...request, now: 0 });
    for (const other of [{ source: '10.0.0.1:1025' }, { identifier: 8 }, { authenticator: 'b'.repeat(16) }]) {
      expect(cache.admit({ ...request, ...other, now: 1 })).toBe('new');
    }
  });

  it('do not get the answer to a request that took their place', () => {
    const cache = new DuplicateCache();
    const second = { ...request, authenticator: 'b'.repeat(16) };
    cache.admit({ ...request, now: 0 });
    cache.admit({ ...second, now: 1 });
    cache.settle({ ...request, answer });
    expect(cache.admit({ ...second, now: 2 })).toBe('in-progress');
  });

  it('are remembered for a bounded number of sources', () => {
    const cache = new DuplicateCache();
    for (let n = 0; n < 5000; n += 1) cache.admit({ ...request, source: `10.0.0.1:${n}`, now: n });
    expect(cache.admit({ ...request, source: '10.0.0.1:0', now: 5000 })).toBe('new');
    expect(cache.admit({ ...request, source: '10.0.0.1:4999', now: 5000 })).toBe('in-progress');
  });
});
