import type { Sql } from '../../../platform/db/index.ts';

export interface NewEvent {
  id: string;
  orgId: number;
  sequence: number;
  type: string;
  accountId: string | null;
  body: string;
}

/** @returns a function that gives an organisation's next number, as often as it has entries */
export const assignSequences = async (
  tx: Sql,
  entries: readonly { orgId: number }[],
): Promise<(orgId: number) => number> => {
  const counts = new Map<number, number>();
  for (const { orgId } of entries) counts.set(orgId, (counts.get(orgId) ?? 0) + 1);
  const { rows } = await tx.query<{ orgId: number; last: number }>({
    name: 'webhook-take-sequences',
    text: `insert into webhook_sequences as s (org_id, last) select * from unnest($1::bigint[], $2::bigint[])
           on conflict (org_id) do update set last = s.last + excluded.last returning org_id as "orgId", last`,
    values: [[...counts.keys()], [...counts.values()]],
  });
  const next = new Map(rows.map(({ orgId, last }) => [orgId, last - (counts.get(orgId) ?? 0)]));
  return (orgId) => {
    const sequence = (next.get(orgId) ?? 0) + 1;
    next.set(orgId, sequence);
    return sequence;
  };
};

export const insertEvents = async (tx: Sql, events: readonly NewEvent[], at: Date): Promise<void> => {
  if (events.length === 0) return;
  await tx.query({
    name: 'webhook-insert-events',
    text: `insert into webhook_events (org_id, sequence, recorded_at, id, type, account_id, body)
           select e.org_id, e.sequence, $7::timestamptz, e.id, e.type, e.account_id, e.body
           from unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::text[], $5::uuid[], $6::text[])
             as e (org_id, sequence, id, type, account_id, body)`,
    values: [
      events.map(({ orgId }) => orgId),
      events.map(({ sequence }) => sequence),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ accountId }) => accountId),
      events.map(({ body }) => body),
      at,
    ],
  });
};
