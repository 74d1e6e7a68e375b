import type { ErrorCode } from '@simcube/contract';
import { type Measured, type RuleDefinition, ruleDefinitionSchema } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';
import { caseVariants, lifecycleOf, simsBy } from '../../sim/index.ts';
import type { ActionOrder } from '../engine/perform-action.job.ts';
import type { FiredSim } from './template-texts.rules.ts';

/** The parts of a rule needed to do its actions in its name. */
export interface ActingRule {
  id: number;
  orgId: number;
  name: string;
  ownerId: string | null;
  enabled: boolean;
  definition: RuleDefinition;
}

/** The rule as it is now, with the version that fired. */
export const findActingRule = async (
  sql: Sql,
  { ruleId, version }: Pick<ActionOrder, 'ruleId' | 'version'>,
): Promise<ActingRule | undefined> => {
  const { rows } = await sql.query<ActingRule>(
    `select r.id, r.org_id as "orgId", r.name, r.owner_id as "ownerId", r.enabled, v.definition
     from autoflow_rules r join autoflow_rule_versions v on v.rule_id = r.id and v.version = $2 where r.id = $1`,
    [ruleId, version],
  );
  return rows[0] && { ...rows[0], definition: ruleDefinitionSchema.parse(rows[0].definition) };
};

type FiredRow = Omit<FiredSim, 'lifecycle'> & { id: number; lifecycle: number };
const firedColumns = 's.id, s.device_name, s.imsi, s.msisdn, s.last_imei as imei, s.lifecycle, s.tags';
const firedSim = ({ id: _, lifecycle, ...sim }: FiredRow): FiredSim => ({
  ...sim,
  lifecycle: lifecycleOf(lifecycle),
});

/** Those of the SIMs that the organisation still owns, with the fields for templates. */
export const listFiredSims = async (
  sql: Sql,
  { orgId, simIds }: { orgId: number; simIds: readonly number[] },
): Promise<Map<number, FiredSim>> => {
  const { rows } = await sql.query<FiredRow>(
    `select ${firedColumns} from sims s where s.id = any($1::bigint[]) and s.org_id = $2`,
    [simIds, orgId],
  );
  return new Map(rows.map((row) => [row.id, firedSim(row)]));
};

/** A SIM of the organisation by its ICCID. */
export const findTryOutSim = async (
  sql: Sql,
  { orgId, iccid }: { orgId: number; iccid: string },
): Promise<{ organisation: string; simId: number; sim: FiredSim } | undefined> => {
  const { rows } = await sql.query<FiredRow & { organisation: string }>(
    `select ${firedColumns}, o.name as organisation
     from ${simsBy('iccid')} i join sims s on s.id = i.sim_id join organisations o on o.id = s.org_id
     where i.value = any($2::text[]) and s.org_id = $1`,
    [orgId, caseVariants(iccid)],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { organisation, ...sim } = row;
  return { organisation, simId: sim.id, sim: firedSim(sim) };
};

/** A firing with an action to be done. */
export interface WaitingFiring {
  id: number;
  simId: number;
  iccid: string;
  /** Whether the organisation still owns the SIM. */
  isOwn: boolean;
  /** The period or change for which the rule fired. */
  key: string;
  happenedAt: Date;
  measured: Measured;
}

/** Locks the firings for which an action is still to be done, so that concurrent runs do it only once. */
export const lockWaitingFirings = async (
  tx: Sql,
  { position, firingIds }: Pick<ActionOrder, 'position' | 'firingIds'>,
): Promise<WaitingFiring[]> =>
  (
    await tx.query<WaitingFiring>(
      `select f.id, f.sim_id as "simId", s.iccid, s.org_id = f.org_id as "isOwn", f.key,
         f.happened_at as "happenedAt", f.measured
       from autoflow_firing_actions a join autoflow_firings f on f.id = a.firing_id join sims s on s.id = f.sim_id
       where a.firing_id = any($1::bigint[]) and a.position = $2 and a.state = 0 and a.task is null
         and a.notification_id is null
       order by f.id for update of a`,
      [firingIds, position],
    )
  ).rows;

/** Records that a task carries out the action; the task reports the result later. */
export const markOrdered = async (
  tx: Sql,
  { position, firingIds, task }: { position: number; firingIds: readonly number[]; task: string },
): Promise<void> => {
  await tx.query(
    `update autoflow_firing_actions set task = $3, tries = tries + 1
     where firing_id = any($1::bigint[]) and position = $2`,
    [firingIds, position, task],
  );
};

export interface ActionEnd {
  firingId: number;
  position: number;
  /** Why it failed; null: it succeeded. */
  code: ErrorCode | null;
  /** The notification that `notify` delivers for it and whose result it shows. */
  notificationId?: string | null;
}

/**
 * Ends waiting actions. A firing ends with its last action, and the counts of its day record how many failed. Firings
 * are locked in the order of ids, so that two actions that end concurrently see each other.
 */
export const endActions = async (tx: Sql, ends: readonly ActionEnd[], now: Date): Promise<void> => {
  if (ends.length === 0) return;
  const firingIds = ends.map(({ firingId }) => firingId);
  await tx.query('select from autoflow_firings where id = any($1::bigint[]) order by id for no key update', [
    firingIds,
  ]);
  await tx.query(
    `with ended as (
       update autoflow_firing_actions a set state = case when v.code is null then 1 else 2 end, code = v.code,
         ended_at = $4, tries = greatest(a.tries, 1), notification_id = v.notification_id, gathered = false
       from unnest($1::bigint[], $2::smallint[], $3::text[], $5::uuid[]) as v (firing_id, position, code, notification_id)
       where a.firing_id = v.firing_id and a.position = v.position and a.state = 0
       returning a.firing_id, a.state)
     insert into autoflow_rule_days (rule_id, day, failed)
     select f.rule_id, (f.fired_at at time zone 'UTC')::date, count(*)
     from ended e join autoflow_firings f on f.id = e.firing_id where e.state = 2
     group by 1, 2 order by 1, 2
     on conflict (rule_id, day) do update set failed = autoflow_rule_days.failed + excluded.failed`,
    [
      firingIds,
      ends.map(({ position }) => position),
      ends.map(({ code }) => code),
      now,
      ends.map(({ notificationId }) => notificationId ?? null),
    ],
  );
  await tx.query(
    `update autoflow_firings f set state = case when a.failed then 2 else 1 end
     from (
       select firing_id, bool_or(state = 2) as failed from autoflow_firing_actions
       where firing_id = any($1::bigint[]) group by 1 having bool_and(state <> 0)) as a
     where f.id = a.firing_id and f.state = 0`,
    [firingIds],
  );
};

/** Records that the rule's owner is notified of a failure, unless that was recorded since `since`. @returns whether to notify */
export const recordFailureNotified = async (
  tx: Sql,
  { ruleId, now, since }: { ruleId: number; now: Date; since: Date },
): Promise<boolean> =>
  (
    await tx.query(
      'update autoflow_rules set told_at = $2 where id = $1 and (told_at is null or told_at <= $3)',
      [ruleId, now, since],
    )
  ).rowCount === 1;

/** Lets the action be ordered again. */
export const clearOrdered = async (
  tx: Sql,
  { position, firingIds }: { position: number; firingIds: readonly number[] },
): Promise<void> => {
  await tx.query(
    'update autoflow_firing_actions set task = null where firing_id = any($1::bigint[]) and position = $2',
    [firingIds, position],
  );
};

export interface OrderedAction {
  firingId: number;
  position: number;
  simId: number;
  ruleId: number;
  version: number;
  tries: number;
  happenedAt: Date;
}

/** The actions that a task carries out: of one rule, and one position in it. */
export const listOrdered = async (sql: Sql, task: string): Promise<OrderedAction[]> =>
  (
    await sql.query<OrderedAction>(
      `select a.firing_id as "firingId", a.position, a.tries, f.sim_id as "simId", f.rule_id as "ruleId", f.version,
         f.happened_at as "happenedAt"
       from autoflow_firing_actions a join autoflow_firings f on f.id = a.firing_id
       where a.task = $1 and a.state = 0 order by 1`,
      [task],
    )
  ).rows;
