import { randomBytes, randomUUID } from 'node:crypto';
import { effectivePermissions, type Role } from '@simcube/contract';
import type { AuditAction } from '@simcube/contract/audit';
import type { SmsQuota } from '@simcube/contract/org';
import type { Actor, OrgContext, SessionPrincipal } from '../platform/access/index.ts';
import type { Sql } from '../platform/db/index.ts';

export interface TestOrganisation {
  id: number;
  code: string;
  tenantId: string;
}

export interface OrganisationFields {
  name?: string;
  parentId?: number | null;
  quota?: SmsQuota;
  settlement?: boolean;
  seats?: number;
  subOrganisations?: number;
}

/** Inserts an organisation's row only: no overseers, no audit entry. */
export const insertTestOrganisation = async (
  sql: Sql,
  fields: OrganisationFields = {},
): Promise<TestOrganisation> => {
  const { name, parentId = null, quota = { kind: 'inherit' }, settlement = false } = fields;
  const code = `org-${randomBytes(6).toString('hex')}`;
  const { rows } = await sql.query<TestOrganisation>(
    `insert into organisations (code, name, country, parent_id, sms_quota_kind, sms_quota_messages, settlement,
       seat_limit, sub_organisation_limit)
     values ($1, $2, 'DE', $3, $4, $5, $6, $7, $8) returning id, code, tenant_id as "tenantId"`,
    [
      code,
      name ?? `${code} Limited`,
      parentId,
      quota.kind,
      quota.kind === 'custom' ? quota.messages : null,
      settlement,
      fields.seats ?? null,
      fields.subOrganisations ?? null,
    ],
  );
  const [organisation] = rows;
  if (!organisation) throw new Error('No organisation was made');
  return organisation;
};

/** A person without a working password. */
export const insertTestPerson = async (sql: Sql): Promise<SessionPrincipal> => {
  const email = `${randomUUID()}@example.test`;
  const { rows } = await sql.query<{ id: string }>(
    `insert into users (email, first_name, last_name, password_hash) values ($1, 'Test', 'Person', '') returning id`,
    [email],
  );
  return {
    userId: rows[0]?.id ?? '',
    sessionId: randomUUID(),
    sessionBeganAt: new Date(0),
    email,
    name: 'Test Person',
  };
};

export const insertTestMembership = async (
  sql: Sql,
  { person, org, role }: { person: SessionPrincipal; org: { id: number }; role: Role },
): Promise<void> => {
  await sql.query(
    `insert into memberships (user_id, org_id, role, is_default)
     values ($1, $2, $3, not exists (select from memberships where user_id = $1))`,
    [person.userId, org.id, role],
  );
};

/** A person in the organisation, in the form in which services receive the caller. */
export const callerIn = async (sql: Sql, org: TestOrganisation, role: Role) => {
  const person = await insertTestPerson(sql);
  await insertTestMembership(sql, { person, org, role });
  return callerOf(person, org, role);
};

export const callerOf = (person: SessionPrincipal, org: TestOrganisation, role: Role) => ({
  userId: person.userId,
  sessionBeganAt: person.sessionBeganAt,
  person,
  org: { ...org, role, permissions: effectivePermissions(role, {}) } satisfies OrgContext,
  address: '127.0.0.1',
});

export const actorOf = (person: SessionPrincipal, action: AuditAction): Actor => ({
  kind: 'person',
  id: person.userId,
  name: person.name,
  address: '127.0.0.1',
  traceId: null,
  action,
});
