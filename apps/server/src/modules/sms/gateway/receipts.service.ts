import type { Sql } from '../../../platform/db/index.ts';
import { duePerRound } from '../sms.rules.ts';
import { emitChanges } from './changes.service.ts';
import {
  listPartsByKeys,
  listPartsByKeysAndNumbers,
  listPartsByNumbers,
  type MatchablePart,
  maxAlikeParts,
  removeParts,
  storeEarlyReceipts,
  takeUnmatchedReceipts,
} from './receipts.queries.ts';
import { digitsOf, matchingPart, partsTo, type ReceivedReceipt } from './receipts.rules.ts';
import type { ChangedMessage } from './states.queries.ts';
import { markDelivered, markFailed, removeSiblings } from './states.service.ts';

/** Maximum time from a receipt to a later response for the same submit. */
const earlyMs = 10 * 60_000;

/**
 * Settles messages by their receipts: by literal id, by another form of the id, else by number if the SMSC gave no
 * id. A receipt without a match waits ten minutes for the response with its id.
 */
export const applyReceipts = async (
  tx: Sql,
  receipts: readonly ReceivedReceipt[],
  now: Date,
): Promise<void> => {
  const { matched, unmatched } = await matchById(tx, receipts);
  const byNumber = await matchByNumber(tx, unmatched, { isLate: false });
  await settle(tx, [...matched, ...byNumber.matched], now);
  await storeEarlyReceipts(tx, byNumber.unmatched, now);
};

/**
 * Matches receipts that have waited long enough by number; those without a match are dropped.
 * @returns how many were dropped, and whether more may be due
 */
export const applyUnmatchedReceipts = async (
  tx: Sql,
  now: Date,
): Promise<{ dropped: number; isMoreDue: boolean }> => {
  const waiting = await takeUnmatchedReceipts(tx, new Date(now.getTime() - earlyMs));
  if (waiting.length === 0) return { dropped: 0, isMoreDue: false };
  const byId = await matchById(tx, waiting);
  const { matched, unmatched } = await matchByNumber(tx, byId.unmatched, { isLate: true });
  await settle(tx, [...byId.matched, ...matched], now);
  return { dropped: unmatched.length, isMoreDue: waiting.length >= duePerRound };
};

interface Matching {
  matched: { receipt: ReceivedReceipt; part: MatchablePart }[];
  unmatched: ReceivedReceipt[];
}

const matchById = async (tx: Sql, receipts: readonly ReceivedReceipt[]): Promise<Matching> => {
  const parts = await listPartsByIds(tx, receipts);
  return match(receipts, parts, (receipt, rest) => matchingPart(receipt, rest) as MatchablePart | undefined);
};

/** Oldest first. If an SMSC gives one id to many parts, only those to the receipts' numbers are read. */
const listPartsByIds = async (tx: Sql, receipts: readonly ReceivedReceipt[]): Promise<MatchablePart[]> => {
  const parts = await listPartsByKeys(tx, [...new Set(receipts.flatMap(({ keys }) => keys))]);
  const counts = new Map<string | null, number>();
  for (const { smscKey } of parts) counts.set(smscKey, (counts.get(smscKey) ?? 0) + 1);
  const lookups = receipts.flatMap((receipt) =>
    receipt.keys
      .filter((key) => (counts.get(key) ?? 0) >= maxAlikeParts)
      .flatMap((key) => numbersOf(receipt).map((number) => ({ key, number }))),
  );
  const additional = lookups.length > 0 ? await listPartsByKeysAndNumbers(tx, lookups) : [];
  const all = new Map([...parts, ...additional].map((part) => [part.id, part]));
  return [...all.values()].sort((one, other) => one.id - other.id);
};

/**
 * A part with a known id only matches its own receipts, except for SMSCs whose receipts have no ids. While a part to
 * the same number is being submitted, its response may contain the missing id, so the receipt waits.
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
    const toNumber = partsTo(receipt, rest);
    if (ids.length === 0) return toNumber.find(({ isSubmitting }) => !isSubmitting);
    if (!isLate && toNumber.some(({ isSubmitting }) => isSubmitting)) return undefined;
    return toNumber.find(({ smscKey, isSubmitting }) => smscKey === null && !isSubmitting);
  });
};

const numbersOf = ({ address, sender = '' }: ReceivedReceipt): string[] => [address, sender];

const match = (
  receipts: readonly ReceivedReceipt[],
  parts: readonly MatchablePart[],
  find: (receipt: ReceivedReceipt, rest: readonly MatchablePart[]) => MatchablePart | undefined,
): Matching => {
  const byKey = indexParts(parts);
  const taken = new Set<number>();
  const matched: Matching['matched'] = [];
  const unmatched: ReceivedReceipt[] = [];
  for (const receipt of receipts) {
    const numbers = numbersOf(receipt);
    const similar = [
      ...receipt.keys.flatMap((key) => {
        const alike = byKey.get(key) ?? [];
        return alike.length < maxAlikeParts
          ? alike
          : numbers.flatMap((number) => byKey.get(compositeKey(key, number)) ?? []);
      }),
      ...numbers.flatMap((number) => byKey.get(number) ?? []),
    ];
    const candidates = [...new Set(similar)].filter(({ id }) => !taken.has(id));
    const part = find(receipt, candidates);
    if (part) {
      taken.add(part.id);
      matched.push({ receipt, part });
    } else unmatched.push(receipt);
  }
  return { matched, unmatched };
};

const compositeKey = (key: string, number: string): string => `${key} ${number}`;

/** Parts by ids and numbers, so that thousands of parts and receipts are matched without comparing all pairs. */
const indexParts = (parts: readonly MatchablePart[]): Map<string, MatchablePart[]> => {
  const byKey = new Map<string, MatchablePart[]>();
  for (const part of parts) {
    const { smscKey } = part;
    const number = digitsOf(part.destination);
    for (const key of smscKey === null ? [number] : [smscKey, number, compositeKey(smscKey, number)]) {
      const list = byKey.get(key);
      if (list) list.push(part);
      else byKey.set(key, [part]);
    }
  }
  return byKey;
};

const settle = async (tx: Sql, matches: Matching['matched'], now: Date): Promise<void> => {
  const delivered = matches.flatMap(({ receipt, part }) =>
    receipt.reason === null ? [{ id: part.id, keys: [] }] : [],
  );
  const { changed } = await markDelivered(tx, delivered, { now, areNew: false });
  await emitChanges(tx, [...changed, ...(await fail(tx, matches, now))], now);
};

const fail = async (tx: Sql, matches: Matching['matched'], now: Date): Promise<ChangedMessage[]> => {
  const verdicts = new Map(
    matches.flatMap(({ receipt, part }) => (receipt.reason === null ? [] : [[part.id, receipt] as const])),
  );
  if (verdicts.size === 0) return [];
  const parts = await removeParts(tx, [...verdicts.keys()]);
  const failed = parts.flatMap((part) => {
    const verdict = verdicts.get(part.id);
    return verdict ? [{ ...part, reason: verdict.reason, networkCode: verdict.networkCode }] : [];
  });
  const changed = await markFailed(tx, failed, { now, isUnsent: false });
  const unsent = await markFailed(tx, await removeSiblings(tx, failed), { now, isUnsent: true });
  return [...changed, ...unsent];
};
