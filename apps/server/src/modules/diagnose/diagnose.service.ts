import { createHash, randomBytes } from 'node:crypto';
import { limits } from '@simcube/contract';
import type { DiagnoseLink } from '@simcube/contract/diagnose';
import { manageSims } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Actor } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { inSnapshot, inTransaction, type Sql } from '../../platform/db/index.ts';
import { fail } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { lockOrganisation, requirePermission } from '../org/index.ts';
import { type OwnSim, scopedTo } from '../sim/index.ts';
import { countLinks, insertLink, lockLink, updateWithdrawn } from './diagnose.queries.ts';
import { type Report, reportOf, reportSchema } from './diagnose.report.ts';
import { findLink, listLinks, readFacts } from './diagnose.views.ts';

/** A person who may manage SIMs, and the organisation. */
interface Manager {
  org: { id: number };
  userId: string;
  actor: Actor;
}

/** 256 random bits; only their hash is stored, so that the database reveals no link. */
const newId = (): string => randomBytes(32).toString('base64url');
const requireRight = (tx: Sql, { org, userId }: Pick<Manager, 'org' | 'userId'>) =>
  requirePermission(tx, { orgId: org.id, userId, ...manageSims });
const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

export const createDiagnoses = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => {
  // In one snapshot: a report must not contradict itself while the SIM changes.
  const reportOn = async (sim: OwnSim): Promise<Report> =>
    reportOf(await inSnapshot(pool, (tx) => readFacts(tx, { sim, now: clock.now() })));
  return {
    /** @throws Failure CB-01-0001 */
    report: async (org: { id: number }, iccid: string): Promise<Report> =>
      reportOn(await scopedTo(org).sim(pool, iccid)),

    /**
     * Stores the current report under an id that is returned once.
     * @throws Failure CB-01-0001, CB-01-0033 when the organisation shares the maximum number
     */
    share: async ({
      org,
      userId,
      actor,
      iccid,
    }: Manager & { iccid: string }): Promise<{ id: string; expires_at: string; report: Report }> => {
      const sim = await scopedTo(org).sim(pool, iccid);
      const report = await reportOn(sim);
      const id = newId();
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + limits.diagnoseHours * hourMs);
      await inTransaction(pool, async (tx) => {
        await requireRight(tx, { org, userId });
        // If it has been transferred since, this organisation may not share the report.
        await scopedTo(org).sim(tx, iccid);
        await lockOrganisation(tx, org.id);
        const max = limits.diagnoseLinks;
        if ((await countLinks(tx, { orgId: org.id, now })) >= max) fail('CB-01-0033', { values: { max } });
        await insertLink(tx, {
          idHash: hashOf(id),
          orgId: org.id,
          simId: sim.id,
          report,
          madeAt: now,
          expiresAt,
        });
        await recordAudit(tx, {
          orgId: org.id,
          actor,
          at: now,
          subject: { kind: 'sim', id: iccid, name: report.deviceName ?? iccid },
          after: { expires_at: expiresAt.toISOString() },
        });
      });
      return { id, expires_at: expiresAt.toISOString(), report };
    },

    /**
     * Current links to reports of the SIM.
     * @throws Failure CB-01-0001
     */
    links: async (org: { id: number }, iccid: string): Promise<DiagnoseLink[]> =>
      listLinks(pool, { sim: await scopedTo(org).sim(pool, iccid), now: clock.now() }),

    /** @throws Failure CB-00-0404 when it has expired, or does not belong to the organisation */
    withdraw: ({ org, userId, actor, id }: Manager & { id: string }): Promise<void> =>
      inTransaction(pool, async (tx) => {
        await requireRight(tx, { org, userId });
        const now = clock.now();
        const link = (await lockLink(tx, { id, orgId: org.id, now })) ?? fail('CB-00-0404');
        if (link.isWithdrawn) return;
        await updateWithdrawn(tx, { id, now });
        await recordAudit(tx, {
          orgId: org.id,
          actor,
          at: now,
          subject: { kind: 'sim', id: link.iccid, name: link.deviceName ?? link.iccid },
          before: { expires_at: link.expiresAt.toISOString() },
        });
      }),

    /**
     * A shared report. One written by an older version that this one does not understand counts as expired.
     * @throws Failure CB-01-0019, CB-01-0025
     */
    shared: async (id: string): Promise<Report> => {
      const found = await findLink(pool, { idHash: hashOf(id), now: clock.now() });
      if (found?.isWithdrawn) fail('CB-01-0025');
      const report = reportSchema.safeParse(found?.report);
      return report.success ? report.data : fail('CB-01-0019');
    },
  };
};
