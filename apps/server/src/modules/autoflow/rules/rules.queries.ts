import { type RuleDefinition, ruleDefinitionSchema } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';

/** A rule whose row is locked. */
export interface LockedRule {
  id: number;
  name: string;
  version: number;
  enabled: boolean;
  ownerId: string | null;
  /** The owner's name. */
  owner: string | null;
  definition: RuleDefinition;
}

const ownerName = `(select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = r.owner_id)`;

export const lockRule = async (
  tx: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<LockedRule | undefined> => {
  const { rows } = await tx.query<Omit<LockedRule, 'definition'> & { definition: unknown }>(
    `select r.id, r.name, r.version, r.enabled, r.owner_id as "ownerId",
       ${ownerName} as owner, v.definition
     from autoflow_rules r join autoflow_rule_versions v on v.rule_id = r.id and v.version = r.version
     where r.id = $1 and r.org_id = $2 and r.removed_at is null for update of r`,
    [id, orgId],
  );
  const [row] = rows;
  return row && { ...row, definition: ruleDefinitionSchema.parse(row.definition) };
};

export const isRuleNameTaken = async (
  tx: Sql,
  { orgId, name, exceptId }: { orgId: number; name: string; exceptId: number | null },
): Promise<boolean> =>
  (
    await tx.query(
      `select from autoflow_rules where org_id = $1 and folded(name) = folded($2) and removed_at is null
         and id is distinct from $3`,
      [orgId, name, exceptId],
    )
  ).rows.length > 0;

export interface NewRule {
  orgId: number;
  name: string;
  kind: string;
  enabled: boolean;
  userId: string;
  at: Date;
}

/** Inserts the rule without its first version, because the version refers to lists that refer to the rule. */
export const insertRule = async (tx: Sql, rule: NewRule): Promise<number> => {
  const { rows } = await tx.query<{ id: number }>(
    `insert into autoflow_rules (org_id, name, kind, enabled, armed_at, owner_id, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, case when $4 then $6::timestamptz end, $5, $5, $6, $6) returning id`,
    [rule.orgId, rule.name, rule.kind, rule.enabled, rule.userId, rule.at],
  );
  const [inserted] = rows;
  if (!inserted) throw new Error('The rule was not stored');
  return inserted.id;
};

export interface NewVersion {
  ruleId: number;
  version: number;
  definition: RuleDefinition;
  at: Date;
}

export const insertVersion = async (
  tx: Sql,
  { ruleId, version, definition, at }: NewVersion,
): Promise<void> => {
  await tx.query(
    `with noted as (
       insert into autoflow_rule_versions (rule_id, version, definition, created_at) values ($1, $2, $3, $4))
     update autoflow_rules set version = $2, kind = $5, active_from = $6, active_until = $7 where id = $1`,
    [
      ruleId,
      version,
      JSON.stringify(definition),
      at,
      definition.trigger.kind,
      definition.active_from,
      definition.active_until,
    ],
  );
};

/** From now on it evaluates only new events. */
export const rearmRule = async (
  tx: Sql,
  rule: { id: number; name: string; enabled: boolean; at: Date },
): Promise<void> => {
  await tx.query(
    `update autoflow_rules set name = $2, enabled = $3, armed_at = case when $3 then $4::timestamptz end,
       updated_at = $4, told_at = null where id = $1`,
    [rule.id, rule.name, rule.enabled, rule.at],
  );
};

/** From now on its operations are done in the name of this person. @returns the person's name */
export const setOwner = async (
  tx: Sql,
  { id, userId }: { id: number; userId: string },
): Promise<string | null> => {
  const { rows } = await tx.query<{ owner: string | null }>(
    `update autoflow_rules r set owner_id = $2 where id = $1 returning ${ownerName} as owner`,
    [id, userId],
  );
  return rows[0]?.owner ?? null;
};

export const markRemoved = async (tx: Sql, { id, at }: { id: number; at: Date }): Promise<void> => {
  await tx.query(
    'update autoflow_rules set removed_at = $2, updated_at = $2, enabled = false, armed_at = null where id = $1',
    [id, at],
  );
};
