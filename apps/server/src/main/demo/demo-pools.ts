import type { PoolSpec } from '@simcube/contract/pool';
import { dayMs } from '@simcube/contract/time';
import { operatorActor } from '../../modules/audit/index.ts';
import { changeLimit, enrolManually, leavePools, rollOverPoolsAt } from '../../modules/pool/index.ts';
import { addMonths, dashboardDays } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import { applyParts } from '../catalogue/catalogue.service.ts';
import { demoCatalogue, demoPoolOf, demoPoolParts } from './demo-catalogue.ts';
import type { DemoSim, DemoStep } from './demo-plan.ts';

/** Before any SIM was active. */
const createdDaysAgo = 420;
/** The operator's increase of a limit. */
const limitIncrease = { pool: 'Trucks Europe', bytes: 160 * 1024 ** 3, daysAgo: 11 };

/** Creates the pools of the catalogue file, as old as their SIMs. */
export const makePools = async (tx: Sql, now: Date): Promise<void> => {
  const at = new Date(now.getTime() - createdDaysAgo * dayMs);
  const by = { actor: operatorActor(), at };
  await applyParts(tx, { parts: demoPoolParts, catalogue: demoCatalogue(), by });
};

/** Activated SIMs join the pool of their kind; SIMs that end leave it. */
export const updateMembership = async (
  tx: Sql,
  step: DemoStep & { sims: readonly DemoSim[]; idOf: (sim: DemoSim) => number },
): Promise<void> => {
  const { kind, at, sims, idOf } = step;
  if (kind === 'suspend') return;
  for (const [pool, members] of byPool(sims)) {
    const simIds = members.map(idOf);
    if (kind === 'activate') await enrolManually(tx, { pool, simIds, at, actor: 'Alba Moreno' });
    else await leavePools(tx, { simIds, at });
  }
};

const byPool = (sims: readonly DemoSim[]): Map<PoolSpec, DemoSim[]> => {
  const pools = new Map<PoolSpec, DemoSim[]>();
  for (const sim of sims) {
    const pool = demoPoolOf(sim.device.kind, sim.orgCode);
    if (pool) pools.set(pool, [...(pools.get(pool) ?? []), sim]);
  }
  return pools;
};

/** Changes of pools other than their members, each at its time: cycles end, and the operator raises a limit. */
export const poolSteps = (now: Date): { at: Date; take: (tx: Sql) => Promise<void> }[] => {
  const first = dashboardDays.monthOf(new Date(now.getTime() - createdDaysAgo * dayMs));
  const cycleStarts: Date[] = [];
  for (
    let month = addMonths(first, 1);
    dashboardDays.startOfMonth(month) <= now;
    month = addMonths(month, 1)
  ) {
    cycleStarts.push(dashboardDays.startOfMonth(month));
  }
  const raisedAt = new Date(now.getTime() - limitIncrease.daysAgo * dayMs);
  return [
    ...cycleStarts.map((at) => ({ at, take: (tx: Sql) => rollOverPoolsAt(tx, at) })),
    { at: raisedAt, take: (tx) => raiseLimit(tx, raisedAt) },
  ];
};

const raiseLimit = async (tx: Sql, at: Date): Promise<void> => {
  const { pool, bytes } = limitIncrease;
  const actor = { ...operatorActor(), name: 'SimCube Operator' };
  const change = { organisation: 'ACME', name: pool, bytes, everyCycle: true };
  await changeLimit(tx, change, { actor, at });
};
