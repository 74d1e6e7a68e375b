import { describe, expect, it, vi } from 'vitest';
import type { TableRequest } from '../files/table.rules.ts';
import type { TableResult } from '../files/table.worker.ts';
import { createThreadPool, ThreadPoolBusy } from './index.ts';

// Each thread loads its program.
vi.setConfig({ testTimeout: 30_000 });

const bounds = { timeLimitMs: 60_000, memoryMb: 256 };
const request: TableRequest = {
  format: 'csv',
  content: Buffer.from('ICCID\n89860012300000000001\n'),
  maxRows: 9,
  heading: true,
  language: 'en-US',
};

describe('a thread pool', () => {
  /** Keeps its thread for a while. */
  const long = {
    ...request,
    content: Buffer.from(`ICCID\n${'8986001230000000001,x\n'.repeat(200_000)}`),
    maxRows: 500_000,
  };
  const pool = () => createThreadPool<TableRequest, TableResult>('table-worker', { size: 2 });

  it("does one organisation's work one after the other, and meanwhile that of others", async () => {
    const read = pool();
    const ends: string[] = [];
    const run = (name: string, orgId: number, what: TableRequest) =>
      read(what, bounds, { orgId }).then(() => ends.push(name));
    await Promise.all([run('long', 1, long), run('next', 1, request), run('other', 2, request)]);
    expect(ends).toEqual(['other', 'long', 'next']);
  });

  it('lets one organisation take a part of the queue only', async () => {
    const read = pool();
    const ends = await Promise.allSettled(
      Array.from({ length: 7 }, () => read(request, bounds, { orgId: 1 })).concat(
        read(request, bounds, { orgId: 2 }),
      ),
    );
    expect(ends.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    expect(ends.at(-1)?.status).toBe('fulfilled');
  });

  it('ends work, running or waiting, that is no longer needed', async () => {
    const read = pool();
    const gone = new AbortController();
    const { signal } = gone;
    const works = [1, 1].map(() => read(long, { ...bounds, timeLimitMs: 600_000 }, { orgId: 1, signal }));
    const next = read(request, bounds, { orgId: 1 });
    gone.abort();
    const late = read(request, bounds, { orgId: 3, signal });
    for (const work of [...works, late]) await expect(work).rejects.toThrow(ThreadPoolBusy);
    expect(await next).toMatchObject({ rows: [['ICCID'], ['89860012300000000001']] });
  });
});

it('work for a thread pool is rejected while its queue is full', async () => {
  const read = createThreadPool<TableRequest, TableResult>('table-worker', { size: 1, waiting: 1 });
  const ends = await Promise.allSettled([1, 2, 3].map(() => read(request, bounds)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(ends[2]).toMatchObject({ reason: expect.any(ThreadPoolBusy) });
  expect(await read(request, bounds)).toEqual({ rows: [['ICCID'], ['89860012300000000001']] });
});
