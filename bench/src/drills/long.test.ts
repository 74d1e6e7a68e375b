import { describe, expect, it } from 'vitest';
import { growth } from './long.ts';

const megabyte = 1_000_000;
const samples = (...figures: [megabytes: number, handles: number][]) =>
  figures.map(([megabytes, handles]) => ({ bytes: megabytes * megabyte, handles }));
const grownOf = (all: ReturnType<typeof samples>) =>
  growth([['aaa', all]], () => undefined).map(({ lost }) => lost);

describe('growth over a long run', () => {
  it('compares the last third with the one before, ignoring the first as warm-up', () => {
    expect(grownOf(samples([50, 10], [90, 30], [100, 30], [101, 30], [102, 31], [100, 30]))).toEqual([0, 0]);
    expect(grownOf(samples([50, 10], [90, 30], [100, 30], [101, 30], [180, 30], [190, 30]))).toEqual([1, 0]);
    expect(grownOf(samples([50, 10], [90, 30], [100, 30], [101, 30], [100, 60], [100, 70]))).toEqual([0, 1]);
  });

  it('is not detected from a single outlier', () => {
    const steady = Array.from({ length: 8 }, (): [number, number] => [100, 30]);
    expect(grownOf(samples(...steady, [900, 30]))).toEqual([0, 0]);
  });
});
