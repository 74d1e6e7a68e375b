import { limits } from '@simcube/contract';
import type { Overshoot } from '@simcube/contract/autoflow';
import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import { defaultInterimSeconds } from '../../aaa/index.ts';
import { findSpeed, type UsageSpeed } from '../../usage/index.ts';
import { longestInterim } from '../engine/time.views.ts';
import { countScope } from '../scopes/scope.views.ts';
import { overshootOf, saferThreshold } from './overshoot.rules.ts';
import {
  listDelays,
  listMostUsing,
  listThresholdRules,
  listWorstOvershoots,
  type ThresholdRule,
} from './overshoot.views.ts';

const measuredDays = 7;
/** Bounds the cost of a call, however many rules it asks about: SIMs sorted by usage, and SIMs measured. */
const callLimits = { sorted: 20_000, measured: 2_000 };
/** SIMs measured per scope, of those with the most usage: fewer are inaccurate, more add nothing. */
const simsPerScope = { least: 40, most: 200 };

/** How far usage can pass the thresholds of the organisation's rules on data usage. */
export const measureOvershoots = async (
  pool: pg.Pool,
  { orgId, ruleIds, now }: { orgId: number; ruleIds: readonly number[]; now: Date },
): Promise<Overshoot[]> => {
  const rules = await listThresholdRules(pool, { orgId, ruleIds });
  if (rules.length === 0) return [];
  const since = new Date(now.getTime() - limits.autoflow.historyDays * dayMs);
  const ids = rules.map(({ id }) => id);
  const interim = await longestInterim(pool);
  const delays = await listDelays(pool, { orgId, ruleIds: ids, since });
  const seen = await listWorstOvershoots(pool, { ruleIds: ids, since });
  const scopes = await measureScopes(pool, { orgId, rules, now });
  const interval = interim === 0 ? defaultInterimSeconds : interim / 1000;
  return rules.map((rule) => {
    const delay = delays.get(rule.id) ?? delays.get(null) ?? null;
    return overshootOfRule(rule, scopes(rule), { interval, delay, seenBytes: seen.get(rule.id) ?? null });
  });
};

interface MeasuredScope {
  sims: number;
  speed: UsageSpeed;
  smallestLimit: number | null;
}

/** Measures each scope once, however many rules have it. */
const measureScopes = async (
  pool: pg.Pool,
  { orgId, rules, now }: { orgId: number; rules: readonly ThresholdRule[]; now: Date },
): Promise<(rule: ThresholdRule) => MeasuredScope> => {
  const scopes = new Map(rules.map(({ scope }) => [JSON.stringify(scope), scope]));
  const since = new Date(now.getTime() - measuredDays * dayMs);
  const { least, most } = simsPerScope;
  const share = {
    sorted: Math.floor(callLimits.sorted / scopes.size),
    limit: Math.max(least, Math.min(most, Math.floor(callLimits.measured / scopes.size))),
  };
  const measured = new Map<string, MeasuredScope>();
  for (const [key, scope] of scopes) {
    const sims = await countScope(pool, { orgId, scope });
    const chosen = await listMostUsing(pool, { orgId, scope }, share);
    const speed = await findSpeed(pool, { orgId, simIds: chosen.map(({ id }) => id), since });
    const simLimits = chosen.flatMap(({ limit }) => (limit ? [limit] : []));
    const smallestLimit = simLimits.length > 0 ? Math.min(...simLimits) : null;
    measured.set(key, { sims, speed, smallestLimit });
  }
  return ({ scope }) => {
    const found = measured.get(JSON.stringify(scope));
    if (!found) throw new Error('A scope was not measured');
    return found;
  };
};

const overshootOfRule = (
  { id, threshold }: ThresholdRule,
  { sims, speed, smallestLimit }: MeasuredScope,
  { interval, delay, seenBytes }: { interval: number; delay: number | null; seenBytes: number | null },
): Overshoot => {
  const { typical, worst } = overshootOf({ ...speed, interval, delay });
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
    safer: worst === null ? null : saferThreshold(threshold, { worst, smallestLimit }),
  };
};
