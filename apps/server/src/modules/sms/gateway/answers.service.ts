import type { Sql } from '../../../platform/db/index.ts';
import { emitChanges } from './changes.service.ts';
import { applyOutcomes } from './outcomes.service.ts';
import { rememberReceipts } from './receipts.queries.ts';
import { type Answers, type DeliveredAtOnce, deliveredAtOnce } from './receipts.rules.ts';
import { applyReceipts } from './receipts.service.ts';
import { nameOfReceipt } from './seen-receipts.ts';
import { markDelivered } from './states.service.ts';

/** A transaction whose statements are sent before the results of earlier ones arrive. */
export interface Pipeline {
  tx: Sql;
  /** Registers work that nothing else in the transaction waits for; the transaction commits only if it succeeds. */
  last: (sent: Promise<unknown>) => void;
}

/**
 * Stores SMSC responses and receipts for parts in order of arrival, and runs `next` in the same transaction. Under
 * load most receipts arrive before the response to the submit is stored; each part and message is then written once
 * for both, and `next` runs in the same round trip.
 */
export const applyAnswers = async <T>(
  { tx, last }: Pipeline,
  answers: Answers,
  { now, next }: { now: Date; next: () => Promise<T> },
): Promise<T> => {
  const { delivered, left } = deliveredAtOnce(answers);
  const names = answers.receipts.flatMap((receipt) =>
    receipt.isRepeated ? [] : (nameOfReceipt(receipt) ?? []),
  );
  const atOnce = markDelivered(tx, delivered.map(newPart), { now, areNew: true });
  if (left.outcomes.length + left.receipts.length > 0) {
    const { settled, changed } = await atOnce;
    last(emitChanges(tx, changed, now));
    await apply(tx, doubtfulToo(left, delivered, settled), now);
    last(rememberReceipts(tx, names, now));
    return next();
  }
  const [{ settled, changed }, result] = await Promise.all([atOnce, next()]);
  last(emitChanges(tx, changed, now));
  last(rememberReceipts(tx, names, now));
  if (settled.size < delivered.length) await apply(tx, doubtfulToo(left, delivered, settled), now);
  return result;
};

const newPart = ({ outcome, receipt }: DeliveredAtOnce) => ({ id: outcome.id, keys: receipt.keys });

/** Adds the parts that were not settled because their receipts may be about an earlier part. */
const doubtfulToo = (
  left: Answers,
  delivered: readonly DeliveredAtOnce[],
  settled: ReadonlySet<number>,
): Answers => {
  const doubtful = delivered.filter(({ outcome }) => !settled.has(outcome.id));
  return {
    outcomes: [...left.outcomes, ...doubtful.map(({ outcome }) => outcome)],
    receipts: [...left.receipts, ...doubtful.map(({ receipt }) => receipt)],
  };
};

const apply = async (tx: Sql, { outcomes, receipts }: Answers, now: Date): Promise<void> => {
  if (outcomes.length > 0) await applyOutcomes(tx, outcomes, now);
  if (receipts.length > 0) await applyReceipts(tx, receipts, now);
};
