import type { Sql } from '../../../platform/db/index.ts';

export interface Recipient {
  id: number;
  iccid: string;
}

/** The SIMs of a schedule, in the order in which they were added. */
export const listRecipients = async (from: Sql, scheduleId: number): Promise<Recipient[]> =>
  (
    await from.query<Recipient>('select id, iccid from schedule_sims where schedule_id = $1 order by id', [
      scheduleId,
    ])
  ).rows;

/** The ids of the SIMs by those of the recipients, as far as these are still in their schedules. */
export const listRecipientSims = async (
  from: Sql,
  recipientIds: readonly number[],
): Promise<Map<number, number>> => {
  const { rows } = await from.query<{ id: number; sim_id: number }>(
    'select id, sim_id from schedule_sims where id = any($1::bigint[])',
    [recipientIds],
  );
  return new Map(rows.map(({ id, sim_id }) => [id, sim_id]));
};

/** Those of the recipients whose SIMs belong to the organisation now. */
export const findOwnRecipients = async (
  from: Sql,
  { orgId, refs }: { orgId: number; refs: readonly number[] },
): Promise<Set<number>> => {
  const { rows } = await from.query<{ id: number }>(
    `select r.id from schedule_sims r join sims s on s.id = r.sim_id
     where r.id = any($1::bigint[]) and s.org_id = $2`,
    [refs, orgId],
  );
  return new Set(rows.map(({ id }) => id));
};
