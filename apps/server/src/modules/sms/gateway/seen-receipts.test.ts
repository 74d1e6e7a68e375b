import { beforeEach, expect, it } from 'vitest';
import type { ReceivedReceipt } from './receipts.rules.ts';
import { SeenReceipts } from './seen-receipts.ts';

const receiptOf = (changes: Partial<ReceivedReceipt> = {}): ReceivedReceipt => ({
  ids: ['M1'],
  keys: ['m1'],
  address: '34600000001',
  sender: '2800',
  reason: null,
  networkCode: null,
  ...changes,
});

let seen: SeenReceipts;
let stored: ReceivedReceipt[];
beforeEach(() => {
  seen = new SeenReceipts();
  stored = [];
});
const take = (changes?: Partial<ReceivedReceipt>) =>
  seen.store(receiptOf(changes), async (marked) => void stored.push(marked));

it('a receipt is marked if an earlier one for the same message arrived, whatever its result', async () => {
  await Promise.all([take(), take({ reason: 'expired' })]);
  expect(stored).toEqual([receiptOf(), receiptOf({ reason: 'expired', isRepeated: true })]);
  const others = [{ ids: ['M2'] }, { address: '34600000002' }, { sender: '2801' }, { ids: [] }, { ids: [] }];
  for (const other of others) await take(other);
  expect(stored.slice(2)).toEqual(others.map(receiptOf));
});

it('a receipt that could not be stored counts as the first when it is repeated', async () => {
  const failing = seen.store(receiptOf(), () => Promise.reject(new Error('the database is away')));
  await expect(failing).rejects.toThrow('the database is away');
  await take();
  expect(stored).toEqual([receiptOf()]);
});
