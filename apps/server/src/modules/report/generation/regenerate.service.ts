import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { getOrganisation } from '../../org/index.ts';
import { retentionMonths } from '../../usage/index.ts';
import { findPreferences } from '../preferences/preferences.views.ts';
import { boundsOf, dueMonth, oldestRetainedMonth } from '../report.rules.ts';
import { claimMonth, deleteMonth } from '../reports.queries.ts';
import { countMonth } from '../reports.views.ts';
import { generateMonth } from './generate.service.ts';

interface RegenerationOrder {
  code: string;
  month: string;
  actor: Actor;
  now: Date;
}

/**
 * Makes the reports of an organisation's month again, by its current preferences, if their records are still
 * retained. Nobody is notified again.
 * @returns the former and the new number of reports
 * @throws Error if they can't be made again; the message says why
 */
export const regenerateMonth = async (
  pool: pg.Pool,
  { code, month, actor, now }: RegenerationOrder,
): Promise<{ removed: number; generated: number }> => {
  if (now < dueMonth(month).from) throw new Error(`The reports of ${month} are not due yet`);
  if (month < oldestRetainedMonth(now)) throw new Error(`Reports of ${month} are no longer retained`);
  const org = await getOrganisation(pool, code);
  const orgId = org.id;
  const preferences = await findPreferences(pool, orgId);
  if (!preferences?.kinds.length) throw new Error(`${code} has no reports enabled`);
  const { from } = boundsOf(month, preferences.time_zone);
  if (from < recordsRetainedSince(now)) throw new Error(`Records of ${month} are no longer retained`);
  const removed = await inTransaction(pool, async (tx) => {
    await claimMonth(tx, { orgId, month });
    const reports = await deleteMonth(tx, { orgId, month });
    await recordAudit(tx, {
      orgId,
      actor,
      at: now,
      action: 'report.remade',
      subject: { kind: 'organisation', id: org.code, name: org.code },
      before: { month, reports },
      after: null,
    });
    return reports;
  });
  await generateMonth(pool, { month, now, before: new Date(now.getTime() + 1), orgId });
  return { removed, generated: await countMonth(pool, { orgId, month }) };
};

/** The time since which all records for reports exist: partitions of older months (UTC) are dropped. */
const recordsRetainedSince = (now: Date): Date => {
  const months = Math.min(...Object.values(retentionMonths));
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
};
