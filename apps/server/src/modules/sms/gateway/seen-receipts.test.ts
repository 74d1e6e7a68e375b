import { expect, it } from 'vitest';
import type { ReceivedReceipt } from './receipts.rules.ts';
import { SeenReceipts } from './seen-receipts.ts';

const receiptOf = (changes: Partial<ReceivedReceipt> = {}): ReceivedReceipt => ({
  ...{ ids: ['M1'], keys: ['m1'], address: '34600000001', sender: '2800', reason: null, networkCode: null },
  ...changes,
});

it('a receipt is marked when one of the same message came before, whatever that one said', () => {
  const seen = new SeenReceipts();
  expect(seen.noted(receiptOf())).toEqual(receiptOf());
  expect(seen.noted(receiptOf({ reason: 'expired' }))).toEqual(
    receiptOf({ reason: 'expired', isRepeated: true }),
  );
  for (const other of [{ ids: ['M2'] }, { address: '34600000002' }, { ids: [] }, { ids: [] }])
    expect(seen.noted(receiptOf(other)).isRepeated).toBeUndefined();
});
