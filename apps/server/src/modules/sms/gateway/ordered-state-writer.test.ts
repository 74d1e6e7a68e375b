import { expect, it } from 'vitest';
import { type ConnectionState, orderedStateWriter } from './ordered-state-writer.ts';

const noted = (id: number, state: ConnectionState['state']): ConnectionState => ({
  id,
  state,
  error: null,
  now: new Date('2026-11-28T00:00:00Z'),
});

/** Writes that finish when the test says so. */
const slowly = () => {
  const written: string[] = [];
  const pending: { end: () => void; fail: () => void }[] = [];
  const save = ({ id, state }: ConnectionState) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        written.push(`${id} ${state}`);
        resolve();
      };
      pending.push({ end, fail: () => reject(new Error('away')) });
    });
  return { written, pending, note: orderedStateWriter(save) };
};

it('the latest state of a connection is written last, without intermediate ones, independently of other connections', async () => {
  const { written, pending, note } = slowly();
  const first = note(noted(1, 'connecting'));
  await note(noted(1, 'waiting'));
  await note(noted(1, 'bound'));
  const other = note(noted(2, 'bound'));
  expect(pending).toHaveLength(2);
  pending[1]?.end();
  await other;
  pending[0]?.end();
  await expect.poll(() => pending.length).toBe(3);
  pending[2]?.end();
  await first;
  expect(written).toEqual(['2 bound', '1 connecting', '1 bound']);
});

it('a state that could not be written is reported, unless a later one is pending', async () => {
  const { written, pending, note } = slowly();
  const first = note(noted(1, 'connecting'));
  await note(noted(1, 'bound'));
  pending[0]?.fail();
  await expect.poll(() => pending.length).toBe(2);
  pending[1]?.end();
  await first;
  expect(written).toEqual(['1 bound']);
  const lost = note(noted(1, 'waiting'));
  pending[2]?.fail();
  await expect(lost).rejects.toThrow('away');
});
