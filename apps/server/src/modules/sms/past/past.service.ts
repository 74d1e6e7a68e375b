import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findChargedQuotas } from '../../org/index.ts';
import { changeSpent, countDays, type DayCount, lockSpent } from '../quota/quota.queries.ts';
import { measureText } from '../sending/text.rules.ts';
import { insertPast, linkReplies, listOwners, type PastMessage } from './past.queries.ts';

/** Messages per statement. */
const batchSize = 5000;

/**
 * Stores past messages and updates all counts, in the caller's transaction. Each message belongs to the SIM's current
 * organisation, and nothing is sent. Messages of SIMs that are unknown or have no number are skipped.
 */
export const storePastMessages = async (
  tx: Sql,
  messages: readonly PastMessage[],
  sender: string,
): Promise<void> => {
  const owners = await listOwners(tx, [...new Set(messages.map(({ iccid }) => iccid))]);
  const orgIds = [...new Set([...owners.values()].map(({ orgId }) => orgId))];
  const charged = new Map<number, number[]>();
  for (const orgId of orgIds) {
    const quotas = await findChargedQuotas(tx, orgId);
    charged.set(
      orgId,
      quotas.map((quota) => quota.orgId),
    );
  }
  const known = messages.flatMap(({ content, ...message }) => {
    const owner = owners.get(message.iccid);
    if (!owner) return [];
    const chargedOrgIds = message.sent ? (charged.get(owner.orgId) ?? []) : [];
    return [{ ...message, ...owner, content, ...measureText(content), chargedOrgIds }];
  });
  for (let from = 0; from < known.length; from += batchSize)
    await insertPast(tx, known.slice(from, from + batchSize), sender);
  await linkReplies(tx, [...new Set(known.map(({ simId }) => simId))]);
  await countDays(tx, [...countsOf(known).values()]);
  await spendParts(tx, known);
};

interface CountedMessage {
  orgId: number;
  at: Date;
  parts: number;
  sent: PastMessage['sent'];
  chargedOrgIds: readonly number[];
}

const countsOf = (messages: readonly CountedMessage[]): Map<string, DayCount> => {
  const counts = new Map<string, DayCount>();
  for (const { orgId, at, parts, sent } of messages) {
    const day = dashboardDays.dayOf(at);
    const count = counts.get(`${orgId} ${day}`) ?? { orgId, day, mt: 0, mtParts: 0, mo: 0 };
    if (sent) {
      count.mt += 1;
      count.mtParts += parts;
    } else count.mo += 1;
    counts.set(`${orgId} ${day}`, count);
  }
  return counts;
};

const spendParts = async (tx: Sql, messages: readonly CountedMessage[]): Promise<void> => {
  const months = new Map<string, Map<number, number>>();
  for (const { at, parts, chargedOrgIds } of messages) {
    const month = dashboardDays.monthOf(at);
    const spent = months.get(month) ?? new Map();
    for (const orgId of chargedOrgIds) spent.set(orgId, (spent.get(orgId) ?? 0) + parts);
    months.set(month, spent);
  }
  for (const [month, spent] of months) {
    const orgIds = [...spent.keys()].toSorted((a, b) => a - b);
    await lockSpent(tx, { orgIds, month });
    await changeSpent(
      tx,
      orgIds.map((orgId) => ({ orgId, month, parts: spent.get(orgId) ?? 0 })),
    );
  }
};
