import { describe, expect, it } from 'vitest';
import { Claims } from './claims.ts';

const claim = (id: number, ...ids: number[]) => ({
  id,
  parts: ids.map((partId) => ({
    id: partId,
    part: 1,
    messageId: partId,
    destination: '49',
    content: '',
    sender: null,
  })),
  withheld: [],
});

describe('a claim', () => {
  it('ends when all its parts are settled, however often one is named', () => {
    const claims = new Claims();
    claims.add(claim(1, 10, 11));
    claims.add(claim(2, 12));
    expect(claims.completedBy([10, 10, 12])).toEqual([2]);
    claims.settle([10, 10, 12], [2]);
    expect(claims.completedBy([10])).toEqual([]);
    expect(claims.completedBy([11])).toEqual([1]);
  });

  it('ends after two concurrent transactions have settled its parts', () => {
    const claims = new Claims();
    claims.add(claim(1, 10, 11));
    expect([claims.completedBy([10]), claims.completedBy([11])]).toEqual([[], []]);
    claims.settle([10], []);
    expect(claims.completedBy([])).toEqual([]);
    claims.settle([11], []);
    expect(claims.completedBy([])).toEqual([1]);
    claims.settle([], [1]);
    expect(claims.completedBy([])).toEqual([]);
  });

  it('is followed by the parts after its last one', () => {
    const claims = new Claims();
    claims.add(claim(1, 10, 12));
    expect(claims.after).toBe(12);
    claims.after = 0;
    claims.add(claim(2, 11));
    expect(claims.after).toBe(11);
  });
});
