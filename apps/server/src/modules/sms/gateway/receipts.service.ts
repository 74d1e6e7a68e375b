import type { Sql } from '../../../platform/db/index.ts';
import { duePerRound } from '../sms.rules.ts';
import { emitChanges } from './changes.service.ts';
import {
  keepEarly,
  listPartsByKeys,
  listPartsByNumbers,
  type MatchablePart,
  removeParts,
  takeWaited,
} from './receipts.queries.ts';
import { digitsOf, partOf, partsTo, type ReceivedReceipt } from './receipts.rules.ts';
import type { ChangedMessage } from './states.queries.ts';
import { markDelivered, markFailed } from './states.service.ts';

/** An answer to a submit may come so long after the receipt for it. */
const earlyMs = 10 * 60_000;

/**
 * Settles messages by their receipts: by id literally, by id in another form, else by number where the SMSC gave no id. One
 * that fits nothing waits ten minutes for the answer that gives its id.
 */
export const applyReceipts = async (
  tx: Sql,
  receipts: readonly ReceivedReceipt[],
  now: Date,
): Promise<void> => {
  const { matched, left } = await matchById(tx, receipts);
  const byNumber = await matchByNumber(tx, left, { isLate: false });
  await settle(tx, [...matched, ...byNumber.matched], now);
  await keepEarly(tx, byNumber.left, now);
};

/**
 * Of those that waited long enough, the number decides; what then fits nothing is dropped.
 * @returns how many were, and whether more may be due
 */
export const applyWaited = async (tx: Sql, now: Date): Promise<{ dropped: number; isMoreDue: boolean }> => {
  const waited = await takeWaited(tx, new Date(now.getTime() - earlyMs));
  if (waited.length === 0) return { dropped: 0, isMoreDue: false };
  const byId = await matchById(tx, waited);
  const { matched, left } = await matchByNumber(tx, byId.left, { isLate: true });
  await settle(tx, [...byId.matched, ...matched], now);
  return { dropped: left.length, isMoreDue: waited.length >= duePerRound };
};

interface Matching {
  matched: { receipt: ReceivedReceipt; part: MatchablePart }[];
  left: ReceivedReceipt[];
}

const matchById = async (tx: Sql, receipts: readonly ReceivedReceipt[]): Promise<Matching> => {
  const parts = await listPartsByKeys(tx, [...new Set(receipts.flatMap(({ keys }) => keys))]);
  return match(receipts, parts, (receipt, rest) => partOf(receipt, rest) as MatchablePart | undefined);
};

/**
 * Parts whose id is known are for their own receipts alone, but for SMSCs whose receipts have no ids. While one to the same
 * number is being submitted, its answer may give the id that is looked for.
 */
const matchByNumber = async (
  tx: Sql,
  receipts: readonly ReceivedReceipt[],
  { isLate }: { isLate: boolean },
): Promise<Matching> => {
  const parts = await listPartsByNumbers(tx, [...new Set(receipts.flatMap(numbersOf))]);
  return match(receipts, parts, (receipt, rest) => {
    const { ids } = receipt;
    const there = partsTo(receipt, rest);
    if (ids.length === 0) return there.find(({ isSubmitting }) => !isSubmitting);
    if (!isLate && there.some(({ isSubmitting }) => isSubmitting)) return undefined;
    return there.find(({ smscKey, isSubmitting }) => smscKey === null && !isSubmitting);
  });
};

const numbersOf = ({ address, sender = '' }: ReceivedReceipt): string[] => [address, sender];

const match = (
  receipts: readonly ReceivedReceipt[],
  parts: readonly MatchablePart[],
  find: (receipt: ReceivedReceipt, rest: readonly MatchablePart[]) => MatchablePart | undefined,
): Matching => {
  const byKey = indexed(parts);
  const taken = new Set<number>();
  const matched: Matching['matched'] = [];
  const left: ReceivedReceipt[] = [];
  for (const receipt of receipts) {
    const near = [...receipt.keys, ...numbersOf(receipt)].flatMap((key) => byKey.get(key) ?? []);
    const candidates = [...new Set(near)].filter(({ id }) => !taken.has(id));
    const part = find(receipt, candidates);
    if (part) {
      taken.add(part.id);
      matched.push({ receipt, part });
    } else left.push(receipt);
  }
  return { matched, left };
};

/** Parts by what receipts name them, so that thousands of each are matched without comparing all with all. */
const indexed = (parts: readonly MatchablePart[]): Map<string, MatchablePart[]> => {
  const byKey = new Map<string, MatchablePart[]>();
  for (const part of parts) {
    for (const key of [part.smscKey, digitsOf(part.destination)]) {
      if (key === null) continue;
      const list = byKey.get(key);
      if (list) list.push(part);
      else byKey.set(key, [part]);
    }
  }
  return byKey;
};

const settle = async (tx: Sql, found: Matching['matched'], now: Date): Promise<void> => {
  const delivered = found.flatMap(({ receipt, part }) =>
    receipt.reason === null ? [{ id: part.id, keys: [] }] : [],
  );
  const { changed } = await markDelivered(tx, delivered, { now, areNew: false });
  await emitChanges(tx, [...changed, ...(await fail(tx, found, now))], now);
};

const fail = async (tx: Sql, found: Matching['matched'], now: Date): Promise<ChangedMessage[]> => {
  const verdicts = new Map(
    found.flatMap(({ receipt, part }) => (receipt.reason === null ? [] : [[part.id, receipt] as const])),
  );
  if (verdicts.size === 0) return [];
  const parts = await removeParts(tx, [...verdicts.keys()]);
  const failed = parts.flatMap((part) => {
    const verdict = verdicts.get(part.id);
    return verdict ? [{ ...part, reason: verdict.reason, networkCode: verdict.networkCode }] : [];
  });
  return markFailed(tx, failed, { now, isUnsent: false });
};
