import type { Sql } from '../../../platform/db/index.ts';
import type { Service } from '../sms.rules.ts';

/**
 * Locks an organisation's services until the transaction ends. @returns its id, if it is the caller's own or directly
 * below it
 */
export const lockOrganisation = async (
  tx: Sql,
  { orgId, code }: { orgId: number; code: string },
): Promise<number | undefined> => {
  const { rows } = await tx.query<{ id: number }>(
    'select id from organisations where lower(code) = lower($2) and (id = $1 or parent_id = $1) for no key update',
    [orgId, code],
  );
  return rows[0]?.id;
};

export const saveService = async (
  tx: Sql,
  { orgId, canSend, canReceive, sender, forwardTo }: Service & { orgId: number },
): Promise<void> => {
  await tx.query(
    `insert into sms_services (org_id, can_send, can_receive, sender, forward_to) values ($1, $2, $3, $4, $5)
     on conflict (org_id) do update set can_send = excluded.can_send, can_receive = excluded.can_receive,
       sender = excluded.sender, forward_to = excluded.forward_to`,
    [orgId, canSend, canReceive, sender, forwardTo],
  );
};
