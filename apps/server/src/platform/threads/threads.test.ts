import { expect, it } from 'vitest';
import type { TableRequest } from '../files/table.rules.ts';
import type { TableResult } from '../files/table.worker.ts';
import { createThreadPool, ThreadPoolBusy } from './index.ts';

const bounds = { timeLimitMs: 60_000, memoryMb: 256 };
const request: TableRequest = {
  format: 'csv',
  content: Buffer.from('ICCID\n89860012300000000001\n'),
  maxRows: 9,
  heading: true,
  language: 'en-US',
};

it('work for a thread pool is rejected while its queue is full', async () => {
  const read = createThreadPool<TableRequest, TableResult>('table-worker', { size: 1, waiting: 1 });
  const ends = await Promise.allSettled([1, 2, 3].map(() => read(request, bounds)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(ends[2]).toMatchObject({ reason: expect.any(ThreadPoolBusy) });
  expect(await read(request, bounds)).toEqual({ rows: [['ICCID'], ['89860012300000000001']] });
});
