import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { recordSimEvents, simEvent } from '../../sim/index.ts';
import { accessRefused, changesPerFact } from '../aaa.events.ts';
import { clearRefusals, insertRefusals, type Refusal } from './refusal-events.queries.ts';

/** Records and announces an event for each SIM and reason to be reported. */
export const reportRefusals = async (tx: Sql, refusals: readonly Refusal[], now: Date): Promise<void> => {
  const reported = await insertRefusals(tx, refusals, now);
  await recordSimEvents(
    tx,
    reported.map(({ simId, org_id, reason, apn, plmn }) => ({
      simId,
      orgId: org_id,
      at: now,
      ...simEvent('rejected', { reason, apn: apn ?? undefined, plmn: plmn ?? undefined }),
    })),
  );
  const at = now.toISOString();
  await emitMany(
    tx,
    accessRefused,
    factsByOrganisation(
      groupBy(reported, (row) => row.org_id),
      changesPerFact,
      (part) => ({ at, iccids: part.map(({ iccid }) => iccid) }),
    ),
  );
};

/** The next rejection of SIMs that were transferred is reported to their new organisation. */
export const resetRefusals = (tx: Sql, { simIds }: { simIds: readonly number[] }): Promise<void> =>
  clearRefusals(tx, simIds);
