import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readInLockstep } from './lockstep.ts';

const counted = (parts: number) => {
  const seen = { read: 0, ended: false };
  async function* source(): AsyncGenerator<number[]> {
    try {
      for (let part = 0; part < parts; part += 1) {
        seen.read += 1;
        yield [part * 2, part * 2 + 1];
      }
    } finally {
      seen.ended = true;
    }
  }
  return { seen, source: source() };
};

const all = async (rows: AsyncIterable<number>, pause = 0): Promise<number[]> => {
  const found: number[] = [];
  for await (const row of rows) {
    for (let turns = 0; turns < pause; turns += 1) await turn();
    found.push(row);
  }
  return found;
};

describe('rows read in lockstep', () => {
  it('reach each reader once, in order, from one pass, at any pace', async () => {
    const { seen, source } = counted(20);
    const [quick, slow] = readInLockstep(source, 2);
    if (!quick || !slow) throw new Error('Two readers were wanted');
    const expected = Array.from({ length: 40 }, (_, index) => index);
    expect(await Promise.all([all(quick), all(slow, 3)])).toEqual([expected, expected]);
    expect(seen).toEqual({ read: 20, ended: true });
  });

  it('are read no further than the slowest reader', async () => {
    const { seen, source } = counted(20);
    const [quick, slow] = readInLockstep(source, 2);
    const first = quick?.next();
    await turn();
    expect(seen.read).toBe(0);
    await slow?.next();
    // The rest of the part, and a row of the next one.
    const ahead = [first, quick?.next(), quick?.next()];
    await turn();
    expect(seen.read).toBe(1);
    await slow?.next();
    await slow?.next();
    await Promise.all(ahead);
    expect(seen.read).toBe(2);
  });

  it('fail for all when a reader stops or the source fails', async () => {
    const { seen, source } = counted(20);
    const [one, other] = readInLockstep(source, 2);
    const rest = all(other as AsyncIterable<number>);
    const failed = expect(rest).rejects.toThrow('Another reader');
    await one?.next();
    await one?.return(undefined);
    await failed;
    expect(seen.ended).toBe(true);

    async function* broken(): AsyncGenerator<number[]> {
      yield [1];
      throw new Error('The database is gone');
    }
    const both = readInLockstep(broken(), 2).map((rows) => all(rows));
    for (const { reason } of (await Promise.allSettled(both)) as PromiseRejectedResult[])
      expect(String(reason)).toContain('The database is gone');
  });
});
