import type { Sql } from '../../../platform/db/index.ts';
import { emitChanges } from './changes.service.ts';
import { applyOutcomes } from './outcomes.service.ts';
import { rememberReceipts } from './receipts.queries.ts';
import { type Answers, type DeliveredAtOnce, deliveredAtOnce } from './receipts.rules.ts';
import { applyReceipts } from './receipts.service.ts';
import { nameOfReceipt } from './seen-receipts.ts';
import { markDelivered } from './states.service.ts';

/** A transaction whose statements are on their way before the answers to those before them. */
export interface Pipeline {
  tx: Sql;
  /** What nothing in the transaction waits for: it is committed only when this succeeded too. */
  last: (sent: Promise<unknown>) => void;
}

/**
 * Stores what SMSCs said of parts, in the order in which it happened, and does what is `next` in the transaction. Under load
 * most receipts come before the answer to the submit is stored: then each part and each message is written once for both, and
 * `next` is asked for in the same round trip.
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

/** With those whose receipts may be about a part of before. */
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
