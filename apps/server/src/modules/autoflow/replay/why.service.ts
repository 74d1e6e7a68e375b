import { limits } from '@simcube/contract';
import { type AutoflowRuleDetail, ruleDefinitionSchema, type Why } from '@simcube/contract/autoflow';
import type { Lifecycle } from '@simcube/contract/sim';
import type pg from 'pg';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { findKeptCost } from '../../price/index.ts';
import { listWatchedSims, readCyclesAt, type WatchedSim } from '../../usage/index.ts';
import type { ArmedOn, ArmedRule } from '../engine/armed-rule.rules.ts';
import { listsNaming } from '../engine/armed-rules.views.ts';
import { costOccasion, isOnCost, minorOf } from '../engine/cost.rules.ts';
import { type CountedRule, countedSpan, countOf, isOnCount, unitOf } from '../engine/counted.rules.ts';
import { countedCycle } from '../engine/counted.service.ts';
import { waitsForCountry, waitsForImei, waitsForStatus } from '../engine/facts.rules.ts';
import { listAllowedImeis } from '../engine/imei-lists.views.ts';
import { isOnTime, keyOf, leadOf, type TimeRule } from '../engine/time.rules.ts';
import { findInstant } from '../engine/time.views.ts';
import { countersOf, isOnUsage, measuredOf, type UsageRule, usedBefore } from '../engine/usage.rules.ts';
import { look } from '../engine/usage.service.ts';
import { findOwnSims } from '../scopes/lists.queries.ts';
import { type ChangeTrigger, isOnChanges, readChanges } from './changes-replay.service.ts';
import { listTimes } from './counts-replay.service.ts';
import { type Comparison, compared, comparedScope, comparedState, verdictOf } from './why.rules.ts';
import { type FiredBefore, listFired } from './why.views.ts';

const hourMs = 3_600_000;
const historyMs = limits.autoflow.historyDays * 24 * hourMs;

export interface WhyQuestion {
  rule: AutoflowRuleDetail;
  orgId: number;
  iccid: string;
  now: Date;
}

/** @throws Failure CB-01-0012 for a SIM that does not belong to the organisation */
export const why = ({ pool }: { pool: pg.Pool }, question: WhyQuestion): Promise<Why> =>
  inSnapshot(pool, async (sql) => {
    const { rule, orgId, iccid, now } = question;
    const simId = (await findOwnSims(sql, { orgId, iccids: [iccid] })).get(iccid) ?? fail('CB-01-0012');
    const [sim] = await listWatchedSims(sql, { orgId, simIds: [simId] });
    if (!sim) return fail('CB-01-0012');
    const { trigger, scope, actions, active_from, active_until, group_minutes } = rule;
    const definition = ruleDefinitionSchema.parse({
      ...{ trigger, scope, actions, active_from, active_until, group_minutes },
    });
    const armedAt = rule.armed_at === null ? null : Date.parse(rule.armed_at);
    const since = new Date(now.getTime() - historyMs);
    const fired = await listFired(sql, { orgId, ruleId: Number(rule.id), simId, since });
    const asked: Asked = {
      rule: {
        ...{ id: Number(rule.id), version: rule.version, trigger, scope, actions },
        groupMinutes: group_minutes,
        since: Math.max(armedAt ?? now.getTime(), active_from === null ? 0 : Date.parse(active_from)),
        until: active_until === null ? null : Date.parse(active_until),
      },
      sim,
      now: now.getTime(),
      fired,
    };
    const naming = { lists: await listsNaming(sql, [simId]), listName: rule.scope_list?.name ?? null };
    const comparisons = [
      ...comparedState({ enabled: rule.enabled, armedAt, definition }, asked.now),
      comparedScope(asked.rule, sim, naming),
      ...(await comparedTrigger(sql, asked)),
    ];
    const [last] = fired;
    return {
      rule: { id: rule.id, name: rule.name, version: rule.version },
      trigger: trigger.kind,
      iccid,
      verdict: verdictOf(comparisons),
      comparisons,
      last_fired: last
        ? {
            at: last.firedAt.toISOString(),
            happened_at: last.happenedAt.toISOString(),
            measured: last.measured,
          }
        : null,
    };
  });

interface Asked {
  rule: ArmedRule;
  sim: WatchedSim;
  now: number;
  fired: readonly FiredBefore[];
}

const comparedTrigger = (sql: Sql, asked: Asked): Promise<Comparison[]> | Comparison[] => {
  const { rule } = asked;
  if (isOnTime(rule)) return comparedTime(sql, rule, asked);
  if (isOnUsage(rule)) return comparedUsage(sql, rule, asked);
  if (isOnCount(rule)) return comparedCount(sql, rule, asked);
  if (isOnCost(rule)) return comparedCost(sql, rule, asked);
  return comparedChange(sql, asked);
};

const notFired = ({ fired }: Asked, key: string): Comparison => {
  const before = fired.find((firing) => firing.key === key);
  return compared('not-fired', before === undefined, { at: before?.firedAt.getTime() ?? null });
};

const comparedUsage = async (sql: Sql, rule: UsageRule, asked: Asked): Promise<Comparison[]> => {
  const { sim, now } = asked;
  const sims = new Map([[sim.simId, sim]]);
  const lookAt = (at: number) =>
    look(sql, { orgId: sim.orgId, sims, looks: [{ simId: sim.simId, at }], rules: [rule] });
  const [looked] = await lookAt(now);
  const counter = looked && countersOf(looked)(rule);
  if (!looked || !counter) {
    const isByLimit = rule.trigger.kind === 'data-usage' && rule.trigger.threshold.unit === '%';
    return [
      compared('known', false, { value: isByLimit ? sim.limit : null, unit: isByLimit ? 'octets' : null }),
    ];
  }
  const { span, total, threshold, name } = counter;
  const { unit } = measuredOf(rule, { span, total, threshold });
  const figures = unit === null ? {} : { value: total, wanted: threshold, unit };
  const reached = compared('reached', total >= threshold, { ...figures, at: span.startsAt });
  const own = [reached, notFired(asked, name)];
  if (rule.since <= span.startsAt) return own;
  const [then] = await lookAt(Math.min(rule.since, now));
  if (!then) return own;
  const before = usedBefore(counter, then.usage, rule.since);
  const wasBelow = compared('below-before', before < threshold, {
    ...(unit !== null && { value: before, wanted: threshold, unit }),
    at: rule.since,
  });
  return [wasBelow, ...own];
};

const comparedChange = async (sql: Sql, asked: Asked): Promise<Comparison[]> => {
  const { rule, sim, now, fired } = asked;
  const { trigger } = rule;
  if (!isOnChanges(trigger)) return [];
  const since = Math.max(rule.since, now - historyMs);
  const changes = await readChanges(sql, trigger, { orgId: sim.orgId, simIds: [sim.simId], since });
  const lists = trigger.kind === 'imei-change' && trigger.to === 'unlisted' ? [trigger.list_id] : [];
  const allowed = (await listAllowedImeis(sql, { lists, simIds: [sim.simId] })).get(sim.simId);
  const isWaitedFor = ({ from, to }: { from: string; to: string }) => {
    if (trigger.kind === 'status-change')
      return waitsForStatus(trigger, { from: from as Lifecycle, to: to as Lifecycle });
    return trigger.kind === 'country'
      ? waitsForCountry(trigger, { from, to })
      : waitsForImei(trigger, { from, to, allowed });
  };
  const waited = changes.findLast(isWaitedFor);
  const shown = waited ?? changes.at(-1);
  const wanted = wantedOf(trigger);
  const happened = compared('happened', waited !== undefined, {
    value: shown ? `${shown.from} → ${shown.to}` : null,
    wanted,
    at: shown?.at ?? null,
  });
  if (!waited) return [happened];
  const firing = fired.find(({ happenedAt }) => happenedAt.getTime() === Math.floor(waited.at));
  return [happened, compared('not-fired', firing === undefined, { at: firing?.firedAt.getTime() ?? null })];
};

const wantedOf = (trigger: ChangeTrigger): string | null => {
  if (trigger.kind === 'status-change') return trigger.to.join(', ');
  return trigger.kind === 'country' ? trigger.countries.join(', ') : null;
};

const comparedCount = async (sql: Sql, rule: CountedRule, asked: Asked): Promise<Comparison[]> => {
  const { sim, now } = asked;
  const { trigger } = rule;
  const cycleAt = await readCyclesAt(sql, { simIds: [sim.simId], after: now });
  const span = countedSpan(trigger, now, countedCycle(cycleAt, sim.simId, now));
  if (!span) return [compared('known', false)];
  const times = await listTimes(sql, trigger, {
    ...{ orgId: sim.orgId, simIds: [sim.simId], since: span.startsAt },
  });
  const wanted = countOf(trigger);
  const figures = { wanted, unit: unitOf(trigger) };
  const before = times.filter(({ at }) => at < rule.since).length;
  const wasBelow = compared('below-before', before < wanted, { ...figures, value: before, at: rule.since });
  const counted = { ...figures, value: times.length, at: span.startsAt };
  const reached = compared('reached', times.length >= wanted, counted);
  return [...(rule.since > span.startsAt ? [wasBelow] : []), reached, notFired(asked, span.name)];
};

const comparedCost = async (sql: Sql, rule: ArmedOn<'cost'>, asked: Asked): Promise<Comparison[]> => {
  const { sim } = asked;
  const { currency, amount_minor: wanted } = rule.trigger;
  const cost = await findKeptCost(sql, { orgId: sim.orgId, simId: sim.simId });
  if (cost?.currency !== currency || sim.cycleStartedAt === null)
    return [compared('known', false, { value: cost?.currency ?? null, wanted: currency })];
  const value = minorOf(currency, cost.micros);
  const at = sim.cycleStartedAt;
  const reached = compared('reached', value >= wanted, { value, wanted, unit: currency, at });
  return [reached, notFired(asked, costOccasion(new Date(at).toISOString()))];
};

const comparedTime = async (sql: Sql, rule: TimeRule, asked: Asked): Promise<Comparison[]> => {
  const { sim, now } = asked;
  const { kind } = rule.trigger;
  const instant = await findInstant(sql, { orgId: sim.orgId, kind, simId: sim.simId });
  if (instant === null) return [compared('known', false)];
  const due = instant + leadOf(rule);
  const fired = notFired(asked, keyOf(rule, instant));
  // An end that became known later was due at that moment, even if the rule's days before it began before the rule
  // did.
  const wasDue = due < rule.since && fired.met;
  const value = new Date(now).toISOString();
  const reached = compared('reached', now >= due, {
    value,
    wanted: new Date(due).toISOString(),
    at: instant,
  });
  const own = [reached, fired];
  return wasDue ? [compared('below-before', false, { at: rule.since }), ...own] : own;
};
