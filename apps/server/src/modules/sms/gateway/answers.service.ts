import type { Sql } from '../../../platform/db/index.ts';
import { emitChanges } from './changes.service.ts';
import { applyOutcomes } from './outcomes.service.ts';
import { listPartsByKeys, removeParts } from './receipts.queries.ts';
import { type Answers, deliveredAtOnce } from './receipts.rules.ts';
import { applyReceipts } from './receipts.service.ts';
import { markDelivered } from './states.service.ts';

/**
 * Stores what SMSCs said of parts, in the order in which it happened. Under load most receipts come before the answer to the
 * submit is stored: then each part and each message is written once for both.
 */
export const applyAnswers = async (tx: Sql, answers: Answers, now: Date): Promise<void> => {
  const { delivered, left } = deliveredAtOnce(answers, await keysOfBefore(tx, answers));
  if (delivered.length > 0) {
    const parts = await removeParts(
      tx,
      delivered.map(({ id }) => id),
    );
    await emitChanges(tx, await markDelivered(tx, parts, { now, areNew: true }), now);
  }
  if (left.outcomes.length > 0) await applyOutcomes(tx, left.outcomes, now);
  if (left.receipts.length > 0) await applyReceipts(tx, left.receipts, now);
};

/** Of parts that wait for receipts like these. */
const keysOfBefore = async (tx: Sql, { outcomes, receipts }: Answers): Promise<Set<string>> => {
  if (outcomes.length === 0 || receipts.length === 0) return new Set();
  const parts = await listPartsByKeys(
    tx,
    receipts.flatMap(({ keys }) => keys),
  );
  return new Set(parts.flatMap(({ smscKey }) => smscKey ?? []));
};
