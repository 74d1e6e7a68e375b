import type { Sql } from '../../../platform/db/index.ts';
import { emitChanges } from './changes.service.ts';
import { applyOutcomes } from './outcomes.service.ts';
import { storeSeenReceipts } from './receipts.queries.ts';
import { type DeliveredWithResponse, type SmscResults, splitDelivered } from './receipts.rules.ts';
import { applyReceipts } from './receipts.service.ts';
import { receiptDigest } from './seen-receipts.ts';
import { markDelivered } from './states.service.ts';

/** A transaction whose statements are sent before the results of earlier ones arrive. */
export interface Pipeline {
  tx: Sql;
  /** Registers work that nothing else in the transaction waits for; the transaction commits only if it succeeds. */
  awaitBeforeCommit: (sent: Promise<unknown>) => void;
}

/**
 * Stores SMSC responses and receipts for parts in order of arrival, and runs `next` in the same transaction. Under
 * load most receipts arrive before the response to the submit is stored; each part and message is then written once
 * for both, and `next` runs in the same round trip.
 */
export const applyResults = async <T>(
  { tx, awaitBeforeCommit }: Pipeline,
  results: SmscResults,
  { now, next }: { now: Date; next: () => Promise<T> },
): Promise<T> => {
  const { delivered, rest } = splitDelivered(results);
  const names = results.receipts.flatMap((receipt) =>
    receipt.isRepeated ? [] : (receiptDigest(receipt) ?? []),
  );
  const marking = markDelivered(tx, delivered.map(newPart), { now, areNew: true });
  if (rest.outcomes.length + rest.receipts.length > 0) {
    const { settled, changed } = await marking;
    awaitBeforeCommit(emitChanges(tx, changed, now));
    await apply(tx, withDoubtful(rest, delivered, settled), now);
    awaitBeforeCommit(storeSeenReceipts(tx, names, now));
    return next();
  }
  const [{ settled, changed }, result] = await Promise.all([marking, next()]);
  awaitBeforeCommit(emitChanges(tx, changed, now));
  awaitBeforeCommit(storeSeenReceipts(tx, names, now));
  if (settled.size < delivered.length) await apply(tx, withDoubtful(rest, delivered, settled), now);
  return result;
};

const newPart = ({ outcome, receipt }: DeliveredWithResponse) => ({ id: outcome.id, keys: receipt.keys });

/** Adds the parts that were not settled because their receipts may be about an earlier part. */
const withDoubtful = (
  rest: SmscResults,
  delivered: readonly DeliveredWithResponse[],
  settled: ReadonlySet<number>,
): SmscResults => {
  const doubtful = delivered.filter(({ outcome }) => !settled.has(outcome.id));
  return {
    outcomes: [...rest.outcomes, ...doubtful.map(({ outcome }) => outcome)],
    receipts: [...rest.receipts, ...doubtful.map(({ receipt }) => receipt)],
  };
};

const apply = async (tx: Sql, { outcomes, receipts }: SmscResults, now: Date): Promise<void> => {
  if (outcomes.length > 0) await applyOutcomes(tx, outcomes, now);
  if (receipts.length > 0) await applyReceipts(tx, receipts, now);
};
