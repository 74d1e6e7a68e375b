import type { PoolSpec } from '@simcube/contract/pool';
import { dayMs } from '@simcube/contract/time';
import type { Actor } from '../../platform/access/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { emit } from '../../platform/outbox/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { ResetCycle } from '../bundle/index.ts';
import { findCycle, sumShards, sumTerms } from './cycles/cycle.views.ts';
import { insertPoolEvent } from './cycles/history.queries.ts';
import { evaluatePool } from './limit/limit.service.ts';
import { poolEvaluated } from './pool.events.ts';
import {
  findPoolByName,
  findPoolParts,
  insertCycles,
  insertPool,
  insertTerms,
  keepPolicy,
  lockPool,
  type PoolRow,
  updateCycle,
  updatePool,
} from './pool.queries.ts';
import { PoolRefused, poolCycles } from './pool.rules.ts';

interface Change {
  actor: Actor;
  at: Date;
}

/** A record finds its cycle even if no job has run for this long. */
const aheadMs = 400 * dayMs;

/** The time up to which a pool's cycles must exist. */
export const cycleHorizon = (now: Date): Date => new Date(now.getTime() + aheadMs);

/** Creates the cycles of a pool from the one of `now` on. */
export const prepareCycles = (
  tx: Sql,
  pool: { id: number; resetCycle: ResetCycle; createdAt: Date },
  now: Date,
): Promise<void> =>
  insertCycles(tx, pool.id, poolCycles(pool, { from: now, until: new Date(now.getTime() + 2 * aheadMs) }));

/** How a definition differs from the existing pool with its name; empty if it does not. */
export interface PoolDifference {
  isNew: boolean;
  /** Changed fields with their values before and after. */
  changed: Partial<Record<'policy' | 'opt_in' | 'activation_rule', { before: string; after: string }>>;
}

/**
 * Compares a definition with the existing pool; changes nothing.
 * @throws PoolRefused if it can't be created: the organisation or bundle does not exist, or the bundle is not usable
 * for pools
 */
const comparePool = async (sql: Sql, spec: PoolSpec): Promise<PoolDifference> => {
  const parts = await partsOf(sql, spec);
  const pool = await findPoolByName(sql, spec);
  if (!pool) return { isNew: true, changed: {} };
  // The bundle can't change: members have orders of it, and the limit consists of its quota.
  if (pool.bundleId !== parts.bundleId)
    throw new PoolRefused(`Pool ${spec.name} has the bundle ${pool.bundleCode}, which can't be changed`);
  const before = specOf(pool, spec.organisation);
  const fields = ['policy', 'opt_in', 'activation_rule'] as const;
  const differing = fields.filter((field) => before[field] !== spec[field]);
  return {
    isNew: false,
    changed: Object.fromEntries(
      differing.map((field) => [field, { before: before[field], after: spec[field] }]),
    ),
  };
};

/** A definition with optional fields. */
type PartialPoolSpec = Pick<PoolSpec, 'organisation' | 'name'> & {
  [Field in 'bundle' | 'policy' | 'opt_in' | 'activation_rule']?: PoolSpec[Field] | undefined;
};

/**
 * The complete definition: omitted fields keep the existing pool's values; for a new pool they get the least harmful ones.
 * @throws PoolRefused for a new pool without a bundle
 */
export const completeSpec = async (
  sql: Sql,
  { bundle, policy, opt_in, activation_rule, ...named }: PartialPoolSpec,
): Promise<PoolSpec> => {
  const existing = await findPoolByName(sql, named);
  const bundleCode = bundle ?? existing?.bundleCode;
  if (bundleCode === undefined)
    throw new PoolRefused(
      `${named.organisation} has no pool ${named.name}: name the bundle of a new one with --bundle`,
    );
  return {
    ...named,
    bundle: bundleCode,
    policy: policy ?? existing?.policy ?? 'stop overage SIMs',
    opt_in: opt_in ?? existing?.optIn ?? 'manual',
    activation_rule: activation_rule ?? existing?.activationRule ?? 'standard',
  };
};

/**
 * Creates the pool, or changes the one with its name to match the definition. Audited.
 * @returns what was different
 * @throws PoolRefused as `comparePool`, and if another pool of the organisation automatically enrols for the bundle
 */
export const setPool = async (tx: Sql, spec: PoolSpec, change: Change): Promise<PoolDifference> => {
  const difference = await comparePool(tx, spec);
  if (difference.isNew) await createPool(tx, spec, change);
  else if (Object.keys(difference.changed).length > 0) await changePool(tx, spec, difference, change);
  return difference;
};

const partsOf = async (sql: Sql, { organisation, bundle }: PoolSpec) => {
  const { orgId, bundleId, type, quotaBytes, policy, resetCycle } = await findPoolParts(sql, {
    organisation,
    bundle,
  });
  if (orgId === null) throw new PoolRefused(`There is no organisation ${organisation}`);
  if (bundleId === null || resetCycle === null) throw new PoolRefused(`There is no bundle ${bundle}`);
  if (type !== 'postpaid shared') throw new PoolRefused(`Bundle ${bundle} is a ${type}, not postpaid shared`);
  if (quotaBytes === null) throw new PoolRefused(`Bundle ${bundle} has no quota that SIMs could contribute`);
  // The pool decides what a SIM may use: its own quota must not stop it or slow it down.
  if (policy !== 'billing')
    throw new PoolRefused(`Bundle ${bundle} has the overage policy "${policy}"; that of a pool is "billing"`);
  // A pool's days are whole, so that shares of its cycles can be counted in days.
  if (resetCycle === '24h day')
    throw new PoolRefused(`Bundle ${bundle} has cycles of 24 hours; a pool requires cycles of whole days`);
  return { orgId, bundleId, resetCycle, quotaBytes };
};

const createPool = async (tx: Sql, spec: PoolSpec, { actor, at }: Change): Promise<void> => {
  const { orgId, bundleId, resetCycle, quotaBytes } = await partsOf(tx, spec);
  const id = await insertPool(tx, { orgId, bundleId, spec, at });
  if (id === undefined) throw new PoolRefused(conflictMessage(spec));
  await prepareCycles(tx, { id, resetCycle, createdAt: at }, at);
  const cycle = await findCycle(tx, id, at);
  if (cycle) await updateCycle(tx, id, { ...cycle, launchedAt: at });
  const facts = { base_limit_bytes: quotaBytes };
  const zeroFigures = { limitBefore: 0, limitAfter: 0, used: 0, sims: 0 };
  await insertPoolEvent(
    tx,
    { poolId: id, at, kind: 'pool setup', ...zeroFigures, facts },
    { actor: actor.name },
  );
  // Open consoles update the SIMs' pools.
  await emit(tx, poolEvaluated, { orgId, payload: { poolId: id } });
  const { organisation: _, name, ...after } = spec;
  const subject = { kind: 'pool', id: String(id), name } as const;
  await recordAudit(tx, { orgId, actor, at, action: 'pool.created', subject, after });
};

const changePool = async (
  tx: Sql,
  spec: PoolSpec,
  { changed }: PoolDifference,
  { actor, at }: Change,
): Promise<void> => {
  const pool = await lockPoolByName(tx, spec);
  const { policy, opt_in: optIn, activation_rule: activationRule } = spec;
  if (policy !== pool.policy) await keepPolicy(tx, pool, at);
  if (!(await updatePool(tx, { ...pool, policy, optIn, activationRule }, at)))
    throw new PoolRefused(conflictMessage(spec));
  await evaluatePool(tx, { poolId: pool.id, now: at, changed: true });
  const side = (which: 'before' | 'after') =>
    Object.fromEntries(Object.entries(changed).map(([field, values]) => [field, values[which]]));
  const subject = { kind: 'pool', id: String(pool.id), name: pool.name } as const;
  const values = { before: side('before'), after: side('after') };
  await recordAudit(tx, { orgId: pool.orgId, actor, at, action: 'pool.changed', subject, ...values });
};

const conflictMessage = ({ organisation, bundle }: PoolSpec): string =>
  `Organisation ${organisation} has a pool that enrols SIMs with the bundle ${bundle} automatically`;

const lockPoolByName = async (tx: Sql, named: Pick<PoolSpec, 'organisation' | 'name'>): Promise<PoolRow> => {
  const found = await findPoolByName(tx, named);
  const pool = found && (await lockPool(tx, found.id));
  if (!pool) throw new PoolRefused(`Organisation ${named.organisation} has no pool ${named.name}`);
  return pool;
};

const specOf = (pool: PoolRow, organisation: string): PoolSpec => ({
  organisation,
  name: pool.name,
  bundle: pool.bundleCode,
  policy: pool.policy,
  opt_in: pool.optIn,
  activation_rule: pool.activationRule,
});

/**
 * Raises or lowers the limit of the running cycle, and of the following ones if it is for every cycle. Stopped
 * members are released if the new limit suffices.
 * @returns the limit of the running cycle before and after, never below zero
 * @param bytes negative to lower it
 * @throws PoolRefused if there is no such pool, or its limit would be below zero or no longer an exact number
 */
export const changeLimit = async (
  tx: Sql,
  request: Pick<PoolSpec, 'organisation' | 'name'> & { bytes: number; everyCycle: boolean },
  { actor, at }: Change,
): Promise<{ before: number; after: number }> => {
  const { bytes, everyCycle } = request;
  const pool = await lockPoolByName(tx, request);
  const cycle = await findCycle(tx, pool.id, at);
  if (!cycle) throw new PoolRefused(`Pool ${pool.name} has no cycle now`);
  const before = await sumTerms(tx, pool.id, cycle.startedAt);
  if (before + bytes < 0)
    throw new PoolRefused(`The limit is ${before} bytes and can't be lowered by ${-bytes}`);
  if (!Number.isSafeInteger(before + bytes)) throw new PoolRefused('The limit would be too large');
  const kind = bytes > 0 ? 'increase' : 'decrease';
  const untilAt = everyCycle ? null : cycle.endsAt;
  const term = { simId: null, kind, bytes, fromAt: cycle.startedAt, untilAt } as const;
  await insertTerms(tx, pool.id, [term], at);
  // Not always the sum of both: if more had been deducted than the limit has, a raise first makes up for that.
  const after = await sumTerms(tx, pool.id, cycle.startedAt);
  await insertPoolEvent(
    tx,
    {
      poolId: pool.id,
      at,
      kind: `pool limit ${kind}`,
      limitBefore: before,
      limitAfter: after,
      used: await sumShards(tx, pool.id, cycle.startedAt),
      sims: 0,
      facts: { bytes, every_cycle: everyCycle },
    },
    { actor: actor.name },
  );
  await evaluatePool(tx, { poolId: pool.id, now: at, changed: true });
  const subject = { kind: 'pool', id: String(pool.id), name: pool.name } as const;
  await recordAudit(tx, {
    orgId: pool.orgId,
    actor,
    at,
    action: 'pool.limit-changed',
    subject,
    before: { limit_bytes: before },
    after: { limit_bytes: after, every_cycle: everyCycle },
  });
  return { before, after };
};
