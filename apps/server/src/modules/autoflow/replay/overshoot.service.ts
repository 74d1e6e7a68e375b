import { limits } from '@simcube/contract';
import type { Overshoot } from '@simcube/contract/autoflow';
import type pg from 'pg';
import { defaultInterimSeconds } from '../../aaa/index.ts';
import { findSpeed } from '../../usage/index.ts';
import { longestInterim } from '../engine/time.views.ts';
import { countScope } from '../scopes/scope.views.ts';
import { overshootOf, saferThan } from './overshoot.rules.ts';
import {
  type Delay,
  listDelays,
  listMostUsing,
  listSeen,
  listThresholdRules,
  type ThresholdRule,
} from './overshoot.views.ts';

const dayMs = 86_400_000;
const measuredDays = 7;
/** SIMs whose speed is looked at: those that use most. */
const measuredSims = 200;
/** Of a scope with more, they are taken from those that the organisation is ranked by. */
const sortedMost = 20_000;

/** How far usage can pass the thresholds of the organisation's rules on data usage. */
export const overshoots = async (
  pool: pg.Pool,
  { orgId, ruleIds, now }: { orgId: number; ruleIds: readonly number[]; now: Date },
): Promise<Overshoot[]> => {
  const rules = await listThresholdRules(pool, { orgId, ruleIds });
  if (rules.length === 0) return [];
  const since = new Date(now.getTime() - limits.autoflow.historyDays * dayMs);
  const [interim, delays, seen] = [
    await longestInterim(pool),
    await listDelays(pool, { orgId, since }),
    await listSeen(pool, { orgId, ruleIds: rules.map(({ id }) => id), since }),
  ];
  const interval = interim === 0 ? defaultInterimSeconds : interim / 1000;
  const all: Overshoot[] = [];
  for (const rule of rules) {
    const seenBytes = seen.get(rule.id) ?? null;
    all.push(
      await overshootOfRule(pool, rule, { orgId, now, interval, delay: delayOf(rule, delays), seenBytes }),
    );
  }
  return all;
};

const delayOf = ({ id }: ThresholdRule, delays: readonly Delay[]): number | null =>
  (delays.find(({ ruleId }) => ruleId === id) ?? delays.find(({ ruleId }) => ruleId === null))?.seconds ??
  null;

const overshootOfRule = async (
  pool: pg.Pool,
  { id, threshold, scope }: ThresholdRule,
  known: { orgId: number; now: Date; interval: number; delay: number | null; seenBytes: number | null },
): Promise<Overshoot> => {
  const { orgId, now, interval, delay, seenBytes } = known;
  const sims = await countScope(pool, { orgId, scope });
  const most = { most: measuredSims, amongRanked: sims > sortedMost };
  const chosen = await listMostUsing(pool, { orgId, scope }, most);
  const since = new Date(now.getTime() - measuredDays * dayMs);
  const speed = await findSpeed(pool, { orgId, simIds: chosen.map((sim) => sim.id), since });
  const { typical, worst } = overshootOf({ ...speed, interval, delay });
  const limitsKnown = chosen.flatMap(({ limit }) => (limit ? [limit] : []));
  const smallestLimit = limitsKnown.length > 0 ? Math.min(...limitsKnown) : null;
  return {
    rule_id: String(id),
    threshold,
    sims,
    measured_sims: speed.sims,
    interval_s: interval,
    delay_s: delay,
    fastest_bps: speed.fastest,
    typical_bytes: typical,
    worst_bytes: worst,
    seen_bytes: seenBytes,
    safer: worst === null ? null : saferThan(threshold, { worst, smallestLimit }),
  };
};
