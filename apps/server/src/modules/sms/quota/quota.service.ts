import type { SmsQuotaUsage } from '@simcube/contract/sms';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findChargedQuotas } from '../../org/index.ts';
import { changeSpent, countDays, lockSpent } from './quota.queries.ts';
import { affordable, remainingOf } from './quota.rules.ts';
import { listSpent, sumSpentBelow } from './quota.views.ts';

/** Messages that were taken off quotas. */
export interface Spent {
  messages: number;
  /** Organisations whose quotas were used. */
  orgIds: number[];
}

/**
 * Takes messages off an organisation's quota and those it inherits from, as many as all of them allow. The rows of
 * the quotas are locked, which serialises concurrent senders.
 */
export const spendQuota = async (
  tx: Sql,
  { orgId, parts, requested, at }: { orgId: number; parts: number; requested: number; at: Date },
): Promise<Spent> => {
  const charged = await findChargedQuotas(tx, orgId);
  const orgIds = charged.map((quota) => quota.orgId);
  const month = dashboardDays.monthOf(at);
  const spent = await lockSpent(tx, { orgIds, month });
  const quotas = charged.map(({ orgId: id, cap }) => ({ cap, spent: spent.get(id) ?? 0 }));
  const messages = affordable(quotas, { parts, requested });
  if (messages === 0) return { messages, orgIds };
  await changeSpent(
    tx,
    orgIds.map((id) => ({ orgId: id, month, parts: messages * parts })),
  );
  return { messages, orgIds };
};

/** Parts of a message that the network refused, or that were never sent, and the quotas they were taken off. */
export interface UnsentParts {
  orgIds: readonly number[];
  at: Date;
  parts: number;
}

/** Returns parts to their quotas. The caller ensures that each part is returned only once. */
export const refundParts = async (tx: Sql, unsent: readonly UnsentParts[]): Promise<void> => {
  const refunds = new Map<string, { orgId: number; month: string; parts: number }>();
  for (const { orgIds, at, parts } of unsent) {
    const month = dashboardDays.monthOf(at);
    for (const id of orgIds) {
      const change = refunds.get(`${id} ${month}`) ?? { orgId: id, month, parts: 0 };
      change.parts -= parts;
      refunds.set(`${id} ${month}`, change);
    }
  }
  await changeSpent(tx, [...refunds.values()]);
};

/** A message to a SIM of which the network refused some or all parts, or that was never sent. */
export interface UnsentMessage extends UnsentParts {
  orgId: number;
  /** Whether no part of it was sent. */
  isWhole: boolean;
}

/** The same for messages to SIMs; also subtracts them from the daily counts. */
export const refundMessages = async (tx: Sql, refused: readonly UnsentMessage[]): Promise<void> => {
  await refundParts(tx, refused);
  const days = new Map<string, { orgId: number; day: string; mt: number; mtParts: number; mo: number }>();
  for (const { orgId, at, parts, isWhole } of refused) {
    const day = dashboardDays.dayOf(at);
    const count = days.get(`${orgId} ${day}`) ?? { orgId, day, mt: 0, mtParts: 0, mo: 0 };
    count.mt -= isWhole ? 1 : 0;
    count.mtParts -= parts;
    days.set(`${orgId} ${day}`, count);
  }
  await countDays(tx, [...days.values()]);
};

/** The spent and remaining quota of an organisation in its month. */
export const readQuota = async (sql: Sql, orgId: number, now: Date): Promise<SmsQuotaUsage> => {
  const month = dashboardDays.monthOf(now);
  const charged = await findChargedQuotas(sql, orgId);
  const spent = await listSpent(sql, { orgIds: charged.map((quota) => quota.orgId), month });
  const quotas = charged.map((quota) => ({ cap: quota.cap, spent: spent.get(quota.orgId) ?? 0 }));
  const { cap = null, spent: used = 0 } = quotas[0] ?? {};
  const below = await sumSpentBelow(sql, { orgId, month });
  return {
    month,
    limit: cap,
    used,
    // An organisation may have begun to inherit within the month.
    used_below: Math.min(used, below),
    used_above: Math.max(...quotas.map((quota) => quota.spent), used) - used,
    remaining: remainingOf(quotas),
  };
};
