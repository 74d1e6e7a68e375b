import { limits } from '@simcube/contract';
import { type AutoflowRuleDetail, ruleDefinitionSchema, type Why } from '@simcube/contract/autoflow';
import type { Lifecycle } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { findStoredCost } from '../../price/index.ts';
import { listWatchedSims, readCyclesAt, type WatchedSim } from '../../usage/index.ts';
import type { ArmedRule, ArmedRuleOn } from '../engine/armed-rule.rules.ts';
import { findListsOfSims } from '../engine/armed-rules.views.ts';
import { costMatchKey, hasCostTrigger, minorOf } from '../engine/cost.rules.ts';
import { type CountedRule, countedSpan, countOf, hasCountTrigger, unitOf } from '../engine/counted.rules.ts';
import { countedCycle } from '../engine/counted.service.ts';
import { waitsForCountry, waitsForImei, waitsForStatus } from '../engine/facts.rules.ts';
import { listAllowedImeis } from '../engine/imei-lists.views.ts';
import { hasTimeTrigger, keyOf, leadMs, type TimeRule } from '../engine/time.rules.ts';
import { findInstant } from '../engine/time.views.ts';
import {
  countersOf,
  hasUsageTrigger,
  measuredOf,
  type UsageRule,
  usedBefore,
} from '../engine/usage.rules.ts';
import { readSnapshots } from '../engine/usage.service.ts';
import { findOwnSims } from '../scopes/lists.queries.ts';
import { type ChangeTrigger, isChangeTrigger, readChanges } from './changes-replay.service.ts';
import { listTimes } from './counts-replay.service.ts';
import { type Comparison, compareScope, compareState, comparison, verdictOf } from './explain.rules.ts';
import { findArrival, listPastFirings, type PastFiring } from './explain.views.ts';

const historyMs = limits.autoflow.historyDays * 24 * hourMs;

export interface WhyQuery {
  rule: AutoflowRuleDetail;
  orgId: number;
  iccid: string;
  now: Date;
}

/** @throws Failure CB-01-0012 for a SIM that does not belong to the organisation */
export const explainRule = ({ pool }: { pool: pg.Pool }, query: WhyQuery): Promise<Why> =>
  inSnapshot(pool, async (sql) => {
    const { rule, orgId, iccid, now } = query;
    const simId = (await findOwnSims(sql, { orgId, iccids: [iccid] })).get(iccid) ?? fail('CB-01-0012');
    const [sim] = await listWatchedSims(sql, { orgId, simIds: [simId] });
    if (!sim) return fail('CB-01-0012');
    const { trigger, scope, actions, active_from, active_until, group_minutes } = rule;
    const definition = ruleDefinitionSchema.parse({
      trigger,
      scope,
      actions,
      active_from,
      active_until,
      group_minutes,
    });
    const armedAt = rule.armed_at === null ? null : Date.parse(rule.armed_at);
    const since = new Date(now.getTime() - historyMs);
    const fired = await listPastFirings(sql, { orgId, ruleId: Number(rule.id), simId, since });
    const context: RuleContext = {
      rule: {
        id: Number(rule.id),
        version: rule.version,
        trigger,
        scope,
        actions,
        groupMinutes: group_minutes,
        since: Math.max(armedAt ?? now.getTime(), active_from === null ? 0 : Date.parse(active_from)),
        until: active_until === null ? null : Date.parse(active_until),
      },
      sim,
      now: now.getTime(),
      fired,
    };
    const scopeLists = {
      lists: await findListsOfSims(sql, [simId]),
      listName: rule.scope_list?.name ?? null,
    };
    const comparisons = [
      ...compareState({ enabled: rule.enabled, armedAt, definition }, context.now),
      compareScope(context.rule, sim, scopeLists),
      ...(await compareTrigger(sql, context)),
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

interface RuleContext {
  rule: ArmedRule;
  sim: WatchedSim;
  now: number;
  fired: readonly PastFiring[];
}

const compareTrigger = (sql: Sql, context: RuleContext): Promise<Comparison[]> | Comparison[] => {
  const { rule } = context;
  if (hasTimeTrigger(rule)) return compareTime(sql, rule, context);
  if (hasUsageTrigger(rule)) return compareUsage(sql, rule, context);
  if (hasCountTrigger(rule)) return compareCount(sql, rule, context);
  if (hasCostTrigger(rule)) return compareCost(sql, rule, context);
  return compareChange(sql, context);
};

const compareNotFired = ({ fired }: RuleContext, key: string): Comparison => {
  const before = fired.find((firing) => firing.key === key);
  return comparison('not-fired', before === undefined, { at: before?.firedAt.getTime() ?? null });
};

const compareUsage = async (sql: Sql, rule: UsageRule, context: RuleContext): Promise<Comparison[]> => {
  const { sim, now } = context;
  const sims = new Map([[sim.simId, sim]]);
  const readSnapshotsAt = (at: number) =>
    readSnapshots(sql, { orgId: sim.orgId, sims, instants: [{ simId: sim.simId, at }], rules: [rule] });
  const [snapshot] = await readSnapshotsAt(now);
  const counter = snapshot && countersOf(snapshot)(rule);
  if (!snapshot || !counter) {
    const isByLimit = rule.trigger.kind === 'data-usage' && rule.trigger.threshold.unit === '%';
    return [
      comparison('known', false, { value: isByLimit ? sim.limit : null, unit: isByLimit ? 'octets' : null }),
    ];
  }
  const { span, total, threshold, name } = counter;
  const { unit } = measuredOf(rule, { span, total, threshold });
  const figures = unit === null ? {} : { value: total, wanted: threshold, unit };
  const reached = comparison('reached', total >= threshold, { ...figures, at: span.startsAt });
  const own = [reached, compareNotFired(context, name)];
  // Of what was used in other organisations only the sum is known, when the SIM arrived.
  const arrival = (await findArrival(sql, sim.simId)) ?? 0;
  const from = Math.max(rule.since, arrival);
  if (from <= span.startsAt) return own;
  const [atStart] = await readSnapshotsAt(Math.min(from, now));
  if (!atStart) return own;
  const before = usedBefore(counter, atStart.usage, from);
  const wasBelow = comparison(
    arrival > rule.since ? 'below-at-arrival' : 'below-before',
    before < threshold,
    {
      ...(unit !== null && { value: before, wanted: threshold, unit }),
      at: from,
    },
  );
  return [wasBelow, ...own];
};

const compareChange = async (sql: Sql, context: RuleContext): Promise<Comparison[]> => {
  const { rule, sim, now, fired } = context;
  const { trigger } = rule;
  if (!isChangeTrigger(trigger)) return [];
  const since = Math.max(rule.since, now - historyMs);
  const changes = await readChanges(sql, trigger, { orgId: sim.orgId, simIds: [sim.simId], since });
  const lists = trigger.kind === 'imei-change' && trigger.to === 'unlisted' ? [trigger.list_id] : [];
  const allowed = (await listAllowedImeis(sql, { lists, simIds: [sim.simId] })).get(sim.simId);
  const isMatch = ({ from, to }: { from: string; to: string }) => {
    if (trigger.kind === 'status-change')
      return waitsForStatus(trigger, { from: from as Lifecycle, to: to as Lifecycle });
    return trigger.kind === 'country'
      ? waitsForCountry(trigger, { from, to })
      : waitsForImei(trigger, { from, to, allowed });
  };
  const match = changes.findLast(isMatch);
  const shown = match ?? changes.at(-1);
  const wanted = expectedValue(trigger);
  const happened = comparison('happened', match !== undefined, {
    value: shown ? `${shown.from} → ${shown.to}` : null,
    wanted,
    at: shown?.at ?? null,
  });
  if (!match) return [happened];
  const firing = fired.find(({ happenedAt }) => happenedAt.getTime() === Math.floor(match.at));
  return [happened, comparison('not-fired', firing === undefined, { at: firing?.firedAt.getTime() ?? null })];
};

const expectedValue = (trigger: ChangeTrigger): string | null => {
  if (trigger.kind === 'status-change') return trigger.to.join(', ');
  return trigger.kind === 'country' ? trigger.countries.join(', ') : null;
};

const compareCount = async (sql: Sql, rule: CountedRule, context: RuleContext): Promise<Comparison[]> => {
  const { sim, now } = context;
  const { trigger } = rule;
  const cycleAt = await readCyclesAt(sql, { simIds: [sim.simId], after: now });
  const span = countedSpan(trigger, now, countedCycle(cycleAt, sim.simId, now));
  if (!span) return [comparison('known', false)];
  const times = await listTimes(sql, trigger, {
    orgId: sim.orgId,
    simIds: [sim.simId],
    since: span.startsAt,
  });
  const wanted = countOf(trigger);
  const figures = { wanted, unit: unitOf(trigger) };
  const before = times.filter(({ at }) => at < rule.since).length;
  const wasBelow = comparison('below-before', before < wanted, { ...figures, value: before, at: rule.since });
  const counted = { ...figures, value: times.length, at: span.startsAt };
  const reached = comparison('reached', times.length >= wanted, counted);
  return [...(rule.since > span.startsAt ? [wasBelow] : []), reached, compareNotFired(context, span.name)];
};

const compareCost = async (
  sql: Sql,
  rule: ArmedRuleOn<'cost'>,
  context: RuleContext,
): Promise<Comparison[]> => {
  const { sim } = context;
  const { currency, amount_minor: wanted } = rule.trigger;
  const cost = await findStoredCost(sql, { orgId: sim.orgId, simId: sim.simId });
  if (cost?.currency !== currency || sim.cycleStartedAt === null)
    return [comparison('known', false, { value: cost?.currency ?? null, wanted: currency })];
  const value = minorOf(currency, cost.micros);
  const at = sim.cycleStartedAt;
  const reached = comparison('reached', value >= wanted, { value, wanted, unit: currency, at });
  return [reached, compareNotFired(context, costMatchKey(new Date(at).toISOString()))];
};

const compareTime = async (sql: Sql, rule: TimeRule, context: RuleContext): Promise<Comparison[]> => {
  const { sim, now } = context;
  const { kind } = rule.trigger;
  const instant = await findInstant(sql, { orgId: sim.orgId, kind, simId: sim.simId });
  if (instant === null) return [comparison('known', false)];
  const resumed =
    kind === 'silent'
      ? await findInstant(sql, { orgId: sim.orgId, kind: 'resumed', simId: sim.simId })
      : null;
  // Silence was expected before the SIM was resumed.
  const from = Math.max(instant, resumed ?? instant);
  const due = from + leadMs(rule);
  const fired = compareNotFired(context, keyOf(rule, instant));
  // An end that became known later was due at that moment, even if the rule's days before it began before the rule
  // did.
  const wasDue = due < rule.since && fired.met;
  const value = new Date(now).toISOString();
  const reached = comparison('reached', now >= due, {
    value,
    wanted: new Date(due).toISOString(),
    at: from,
  });
  const own = [reached, fired];
  return wasDue ? [comparison('below-before', false, { at: rule.since }), ...own] : own;
};
