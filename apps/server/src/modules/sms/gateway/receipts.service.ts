import type { Sql } from '../../../platform/db/index.ts';
import { duePerRound } from '../sms.rules.ts';
import { emitChanges } from './changes.service.ts';
import {
  alikeMost,
  keepEarly,
  listPartsByKeys,
  listPartsByKeysAndNumbers,
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
  const parts = await listPartsByIds(tx, receipts);
  return match(receipts, parts, (receipt, rest) => partOf(receipt, rest) as MatchablePart | undefined);
};

/** The oldest first. Where an SMSC gives one id to many parts, those to the numbers of the receipts that name it are enough. */
const listPartsByIds = async (tx: Sql, receipts: readonly ReceivedReceipt[]): Promise<MatchablePart[]> => {
  const parts = await listPartsByKeys(tx, [...new Set(receipts.flatMap(({ keys }) => keys))]);
  const counts = new Map<string | null, number>();
  for (const { smscKey } of parts) counts.set(smscKey, (counts.get(smscKey) ?? 0) + 1);
  const wanted = receipts.flatMap((receipt) =>
    receipt.keys
      .filter((key) => (counts.get(key) ?? 0) >= alikeMost)
      .flatMap((key) => numbersOf(receipt).map((number) => ({ key, number }))),
  );
  const further = wanted.length > 0 ? await listPartsByKeysAndNumbers(tx, wanted) : [];
  const all = new Map([...parts, ...further].map((part) => [part.id, part]));
  return [...all.values()].sort((one, other) => one.id - other.id);
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
    const { ids, isRepeated } = receipt;
    if (isRepeated) return undefined;
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
    const numbers = numbersOf(receipt);
    const near = [
      ...receipt.keys.flatMap((key) => {
        const alike = byKey.get(key) ?? [];
        return alike.length < alikeMost
          ? alike
          : numbers.flatMap((number) => byKey.get(together(key, number)) ?? []);
      }),
      ...numbers.flatMap((number) => byKey.get(number) ?? []),
    ];
    const candidates = [...new Set(near)].filter(({ id }) => !taken.has(id));
    const part = find(receipt, candidates);
    if (part) {
      taken.add(part.id);
      matched.push({ receipt, part });
    } else left.push(receipt);
  }
  return { matched, left };
};

const together = (key: string, number: string): string => `${key} ${number}`;

/** Parts by what receipts name them, so that thousands of each are matched without comparing all with all. */
const indexed = (parts: readonly MatchablePart[]): Map<string, MatchablePart[]> => {
  const byKey = new Map<string, MatchablePart[]>();
  for (const part of parts) {
    const { smscKey } = part;
    const number = digitsOf(part.destination);
    for (const key of smscKey === null ? [number] : [smscKey, number, together(smscKey, number)]) {
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
