import type { RuleDefinition } from '@simcube/contract/autoflow';
import type pg from 'pg';
import { armRules } from '../modules/autoflow/index.ts';
import { inTransaction } from '../platform/db/index.ts';

export type TestRule = Pick<RuleDefinition, 'trigger'> & Partial<RuleDefinition>;

/**
 * An enabled rule on all SIMs of the organisation; by default it adds a tag.
 * @returns its id
 */
export const makeRule = (
  pool: pg.Pool,
  org: { orgId: number; ownerId?: string },
  { armedAt, ...definition }: TestRule & { armedAt: Date },
): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const whole: RuleDefinition = {
      scope: { kind: 'all' },
      actions: [{ kind: 'add-tag', tag: 'fired' }],
      active_from: null,
      active_until: null,
      group_minutes: null,
      ...definition,
    };
    const { rows } = await tx.query<{ id: number }>(
      `insert into autoflow_rules (org_id, name, kind, enabled, armed_at, active_from, active_until, owner_id, created_at,
         updated_at)
       values ($1, gen_random_uuid(), $2, true, $3, $4, $5, $6, $3, $3) returning id`,
      [org.orgId, whole.trigger.kind, armedAt, whole.active_from, whole.active_until, org.ownerId ?? null],
    );
    const id = rows[0]?.id ?? 0;
    await tx.query(
      'insert into autoflow_rule_versions (rule_id, version, definition, created_at) values ($1, 1, $2, $3)',
      [id, JSON.stringify(whole), armedAt],
    );
    await armRules(tx, { orgId: org.orgId, at: armedAt });
    return id;
  });

/** The firings of an organisation's rules, in the order of SIMs. */
export const firingsOf = async (pool: pg.Pool, orgId: number) =>
  (
    await pool.query<{ rule_id: number; sim_id: number; key: string; value: number | null }>(
      `select rule_id, sim_id, key, measured -> 'value' as value from autoflow_firings where org_id = $1
       order by rule_id, sim_id, key`,
      [orgId],
    )
  ).rows;
