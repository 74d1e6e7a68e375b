import type pg from 'pg';
import type { Actor } from '../../platform/access/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { recordAudit } from '../audit/index.ts';
import { makeMonth } from './making.service.ts';
import { findOrganisationId } from './preferences.views.ts';
import { dueOf, oldestKept } from './report.rules.ts';
import { deleteMonth } from './reports.queries.ts';
import { countMonth } from './reports.views.ts';

/** Reports can't be made as wanted; the message says why. */
class ReportRefused extends Error {}

interface Remaking {
  code: string;
  month: string;
  actor: Actor;
  now: Date;
}

/**
 * Makes the reports of an organisation's month once more, by its preferences of now. Nobody is notified a second time.
 * @returns how many there were before, and how many there are now
 */
export const remakeMonth = async (
  pool: pg.Pool,
  { code, month, actor, now }: Remaking,
): Promise<{ removed: number; made: number }> => {
  if (now < dueOf(month).from) throw new ReportRefused(`The reports of ${month} are not due yet`);
  if (month < oldestKept(now)) throw new ReportRefused(`Reports of ${month} are no longer kept`);
  const orgId = await findOrganisationId(pool, code);
  if (orgId === undefined) throw new ReportRefused(`There is no organisation ${code}`);
  const removed = await inTransaction(pool, async (tx) => {
    const reports = await deleteMonth(tx, { orgId, month });
    await recordAudit(tx, {
      ...{ orgId, actor, at: now, action: 'report.remade' },
      subject: { kind: 'organisation', id: code, name: code },
      before: { month, reports },
      after: null,
    });
    return reports;
  });
  await makeMonth(pool, { month, now, before: new Date(now.getTime() + 1), orgId });
  return { removed, made: await countMonth(pool, { orgId, month }) };
};
