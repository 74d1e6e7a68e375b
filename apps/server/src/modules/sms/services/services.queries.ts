import type { Sql } from '../../../platform/db/index.ts';
import type { Service } from '../sms.rules.ts';

/** @returns the organisation's id, its row of services held until the transaction ends; none that is not right below */
export const lockBelow = async (
  tx: Sql,
  { orgId, code }: { orgId: number; code: string },
): Promise<number | undefined> => {
  const { rows } = await tx.query<{ id: number }>(
    'select id from organisations where lower(code) = lower($2) and parent_id = $1 for key share',
    [orgId, code],
  );
  return rows[0]?.id;
};

export const saveService = async (
  tx: Sql,
  { orgId, canSend, canReceive, sender }: Service & { orgId: number },
): Promise<void> => {
  await tx.query(
    `insert into sms_services (org_id, can_send, can_receive, sender) values ($1, $2, $3, $4)
     on conflict (org_id) do update set can_send = excluded.can_send, can_receive = excluded.can_receive,
       sender = excluded.sender`,
    [orgId, canSend, canReceive, sender],
  );
};
