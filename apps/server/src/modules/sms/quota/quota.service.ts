import type { SmsQuotaUsage } from '@simcube/contract/sms';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findChargedQuotas } from '../../org/index.ts';
import { changeSpent, countDays, lockSpent } from './quota.queries.ts';
import { affordable, remainingOf } from './quota.rules.ts';
import { listSpent } from './quota.views.ts';

/** Messages that were taken off quotas. */
export interface Spent {
  messages: number;
  /** Of these organisations. */
  orgIds: number[];
}

/**
 * Takes messages off the quota of an organisation and of those it inherits from, as many as all of them allow: the rows of
 * the quotas are locked, so that those who send at the same time come one after the other.
 */
export const spendQuota = async (
  tx: Sql,
  { orgId, parts, wanted, at }: { orgId: number; parts: number; wanted: number; at: Date },
): Promise<Spent> => {
  const charged = await findChargedQuotas(tx, orgId);
  const orgIds = charged.map((quota) => quota.orgId);
  const month = dashboardDays.monthOf(at);
  const spent = await lockSpent(tx, { orgIds, month });
  const quotas = charged.map(({ orgId: id, cap }) => ({ cap, spent: spent.get(id) ?? 0 }));
  const messages = affordable(quotas, { parts, wanted });
  if (messages === 0) return { messages, orgIds };
  await changeSpent(
    tx,
    orgIds.map((id) => ({ orgId: id, month, parts: messages * parts })),
  );
  return { messages, orgIds };
};

/** Parts of a message that the network refused, or that were never sent, and whose quotas they were taken off. */
export interface Unsent {
  orgIds: readonly number[];
  at: Date;
  parts: number;
}

/** Gives parts back to the quotas that they were taken off. The caller sees to it that each is given back once. */
export const unspend = async (tx: Sql, unsent: readonly Unsent[]): Promise<void> => {
  const back = new Map<string, { orgId: number; month: string; parts: number }>();
  for (const { orgIds, at, parts } of unsent) {
    const month = dashboardDays.monthOf(at);
    for (const id of orgIds) {
      const change = back.get(`${id} ${month}`) ?? { orgId: id, month, parts: 0 };
      change.parts -= parts;
      back.set(`${id} ${month}`, change);
    }
  }
  await changeSpent(tx, [...back.values()]);
};

/** A message to a SIM whose parts, all or some, the network refused, or that was never sent. */
export interface Refused extends Unsent {
  orgId: number;
  /** No part of it was sent. */
  isWhole: boolean;
}

/** The same of messages to SIMs, which the days count no longer. */
export const giveBack = async (tx: Sql, refused: readonly Refused[]): Promise<void> => {
  await unspend(tx, refused);
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

/** What an organisation has spent of its month, and has left. */
export const readQuota = async (sql: Sql, orgId: number, now: Date): Promise<SmsQuotaUsage> => {
  const month = dashboardDays.monthOf(now);
  const charged = await findChargedQuotas(sql, orgId);
  const spent = await listSpent(sql, { orgIds: charged.map((quota) => quota.orgId), month });
  const quotas = charged.map((quota) => ({ cap: quota.cap, spent: spent.get(quota.orgId) ?? 0 }));
  const own = quotas[0];
  return { month, limit: own?.cap ?? null, used: own?.spent ?? 0, remaining: remainingOf(quotas) };
};
