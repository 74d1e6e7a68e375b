import { allows, isAdmin } from '@simcube/contract';
import type { SmsService } from '@simcube/contract/sms';
import { sql } from 'kysely';
import type { OrgContext } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import type { Service } from '../sms.rules.ts';

/** Without a row, an organisation may send and receive, with the sender's address of the connection. */
export const findService = async (from: Sql, orgId: number): Promise<Service> => {
  const { rows } = await from.query<Omit<Service, 'forwardTo'> & { forwardTo: string[] }>(
    `select can_send as "canSend", can_receive as "canReceive", sender, forward_to as "forwardTo"
     from sms_services where org_id = $1`,
    [orgId],
  );
  const [row] = rows;
  if (!row) return { canSend: true, canReceive: true, sender: null, forwardTo: [] };
  // Arrays of bigint are returned as text.
  return { ...row, forwardTo: row.forwardTo.map(Number) };
};

/** Whether the operator has a connection that can send messages. */
export const hasConnection = async (from: Sql): Promise<boolean> => {
  const { rows } = await from.query<{ found: boolean }>(
    `select exists (select from smsc_connections where bind <> 'receiver') as found`,
  );
  return rows[0]?.found === true;
};

interface ServiceRow extends Omit<SmsService, 'editable' | 'forward_to'> {
  forward_to: number[];
  parent_id: number | null;
  id: number;
}

interface ServiceScope {
  orgId: number;
  /** Organisations below are for admins. */
  isAdmin: boolean;
  mayEdit: boolean;
}

export const scopeOf = ({ id, role, permissions }: OrgContext): ServiceScope => ({
  orgId: id,
  isAdmin: isAdmin(role),
  mayEdit: allows(permissions, 'account', 'write'),
});

/** An organisation, and those directly below it for its admins, by code. */
export const serviceList: List<ServiceScope, { code?: string | undefined }, ServiceRow, SmsService> = {
  name: 'sms.services',
  tables: [
    {
      name: 'services',
      from: () => sql`(
        select o.id, o.parent_id, o.code as org_code, o.name as org_name, coalesce(s.can_send, true) as can_send,
          coalesce(s.can_receive, true) as can_receive, s.sender, coalesce(s.forward_to, '{}') as forward_to
        from organisations o left join sms_services s on s.org_id = o.id) as services`,
      inScope: ({ scope }) =>
        scope.isAdmin ? sql`(id = ${scope.orgId} or parent_id = ${scope.orgId})` : sql`id = ${scope.orgId}`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'org_code', type: 'text' }],
  filters: { code: (code) => sql`lower(org_code) = lower(${code})` },
  countLimit: 'all',
  select: sql`id, parent_id, org_code, org_name, can_send, can_receive, sender, forward_to`,
  show: (rows, { scope }) =>
    rows.map(({ id, parent_id, forward_to, ...service }) => ({
      ...service,
      forward_to: id === scope.orgId ? forward_to.map(String) : null,
      editable: parent_id === scope.orgId && scope.mayEdit,
    })),
};
