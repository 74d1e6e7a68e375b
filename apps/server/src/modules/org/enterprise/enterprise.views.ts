import type { Role } from '@simcube/contract';
import type { Enterprise, Organisation, SecuritySettings, SmsQuota } from '@simcube/contract/org';
import type { Sql } from '../../../platform/db/index.ts';
import { type ChargedQuota, chargedQuotas, effectiveCap } from '../tree/sms-quota.rules.ts';

/** An organisation with its place in the tree, as a person sees it. */
export interface TreeOrganisation {
  id: number;
  code: string;
  name: string;
  country: string;
  tenantId: string;
  logo: string | null;
  createdAt: Date;
  /** Made a settlement customer, whose name is fixed; organisations of the first level pay in any case. */
  settlement: boolean;
  seatLimit: number | null;
  subOrganisationLimit: number | null;
  security: SecuritySettings;
  parent: { id: number; code: string; name: string } | null;
  /** Number of sub-organisations directly below it. */
  children: number;
  /** The organisation and all above it, the topmost first. */
  lineage: { id: number; quota: SmsQuota }[];
  /** The viewer's role in it, if the viewer is an enabled member. */
  ownRole: Role | null;
  ownDefault: boolean;
}

/** A tree has at most `limits.organisationLevels` levels; this only stops an endless walk. */
const maxDepth = 100;

interface Row extends Omit<TreeOrganisation, 'security' | 'parent' | 'lineage'> {
  two_factor_required: boolean;
  session_idle_hours: number;
  session_hours: number;
  allowed_networks: string[];
  parentId: number | null;
  parentCode: string | null;
  parentName: string | null;
  lineage: { id: number; kind: SmsQuota['kind']; messages: number | null }[];
}

export interface TreeQuery {
  by: { code: string } | { id: number };
  /** The caller; null for the operator at the command line, who has no memberships. */
  userId: string | null;
}

export const findInTree = async (
  sql: Sql,
  { by, userId }: TreeQuery,
): Promise<TreeOrganisation | undefined> => {
  const byCode = 'code' in by;
  const { rows } = await sql.query<Row>(
    `with recursive lineage as (
       select id, parent_id, sms_quota_kind, sms_quota_messages, 0 as depth from organisations
       where ${byCode ? 'lower(code) = lower($1)' : 'id = $1'}
       union all
       select o.id, o.parent_id, o.sms_quota_kind, o.sms_quota_messages, lineage.depth + 1
       from organisations o join lineage on o.id = lineage.parent_id where lineage.depth < ${maxDepth})
     select o.id, o.code, o.name, o.country, o.tenant_id as "tenantId", o.logo, o.created_at as "createdAt",
       o.settlement, o.seat_limit as "seatLimit", o.sub_organisation_limit as "subOrganisationLimit",
       o.two_factor_required, o.session_idle_hours, o.session_hours,
       o.allowed_networks::text[] as allowed_networks,
       parent.id as "parentId", parent.code as "parentCode", parent.name as "parentName",
       (select count(*)::int from organisations child where child.parent_id = o.id) as children,
       (select jsonb_agg(jsonb_build_object('id', lineage.id, 'kind', lineage.sms_quota_kind,
          'messages', lineage.sms_quota_messages) order by lineage.depth desc) from lineage) as lineage,
       m.role as "ownRole", coalesce(m.is_default, false) as "ownDefault"
     from lineage as first
     join organisations o on o.id = first.id
     left join organisations parent on parent.id = o.parent_id
     left join memberships m on m.org_id = o.id and m.user_id = $2 and m.disabled_at is null
     where first.depth = 0`,
    [byCode ? by.code : by.id, userId],
  );
  return rows[0] && toTreeOrganisation(rows[0]);
};

const toTreeOrganisation = ({ parentId, parentCode, parentName, lineage, ...row }: Row): TreeOrganisation => {
  const { two_factor_required, session_idle_hours, session_hours, allowed_networks, ...rest } = row;
  return {
    ...rest,
    security: { two_factor_required, session_idle_hours, session_hours, allowed_networks },
    parent:
      parentId === null || parentCode === null || parentName === null
        ? null
        : { id: parentId, code: parentCode, name: parentName },
    lineage: lineage.map(({ id, kind, messages }) => ({ id, quota: quotaOf(kind, messages) })),
  };
};

const quotaOf = (kind: SmsQuota['kind'], messages: number | null): SmsQuota =>
  kind === 'custom' ? { kind, messages: messages ?? 0 } : { kind };

/** The quota set for the organisation itself. */
export const ownQuota = ({ lineage }: TreeOrganisation): SmsQuota =>
  lineage.at(-1)?.quota ?? { kind: 'inherit' };

/** Its effective quota. */
export const capOf = ({ lineage }: TreeOrganisation) => effectiveCap(lineage.map(({ quota }) => quota));

/** The effective quota of the organisations above it, which its own must not exceed. */
export const capAbove = ({ lineage }: TreeOrganisation) =>
  effectiveCap(lineage.slice(0, -1).map(({ quota }) => quota));

/** The organisations whose quotas its messages count against. */
export const findChargedQuotas = async (sql: Sql, orgId: number): Promise<ChargedQuota[]> => {
  const found = await findInTree(sql, { by: { id: orgId }, userId: null });
  return found ? chargedQuotas(found.lineage) : [];
};

/** A direct customer of the operator, which is the organisation without a parent. */
export const isFirstLevel = ({ lineage }: TreeOrganisation): boolean => lineage.length === 2;

/** An organisation that pays; the operator does not pay itself. */
export const isSettlementCustomer = (org: TreeOrganisation): boolean =>
  org.parent !== null && (org.settlement || isFirstLevel(org));

export const organisationOf = (org: TreeOrganisation, role: Role): Organisation => ({
  id: String(org.id),
  code: org.code,
  name: org.name,
  country: org.country,
  tenantId: org.tenantId,
  default: org.ownDefault,
  role,
  logo: org.logo,
  parent_code: org.parent?.code ?? null,
  created_at: org.createdAt.toISOString(),
});

export const enterpriseOf = (
  org: TreeOrganisation,
  { role, seesAccounts }: { role: Role; seesAccounts: boolean },
): Enterprise => {
  const { default: _, ...organisation } = organisationOf(org, role);
  return {
    ...organisation,
    parent_name: org.parent?.name ?? null,
    first_level: isFirstLevel(org),
    settlement: isSettlementCustomer(org),
    name_fixed: org.settlement,
    sms_quota: ownQuota(org),
    sms_quota_messages: capOf(org),
    sub_organisations: org.children,
    security: seesAccounts ? org.security : null,
  };
};
