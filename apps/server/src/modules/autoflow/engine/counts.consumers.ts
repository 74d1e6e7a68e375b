import { hourMs } from '@simcube/contract/time';
import type { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import {
  type Consumer,
  defineBatchConsumer,
  defineConsumer,
  type Fact,
} from '../../../platform/outbox/index.ts';
import { sessionChanged } from '../../aaa/index.ts';
import { costsRisen } from '../../price/index.ts';
import { findStartTasks } from '../../sim/index.ts';
import { smsChanged, smsReceived } from '../../sms/index.ts';
import { findOwnSims } from '../scopes/lists.queries.ts';
import type { ArmedRule } from './armed-rule.rules.ts';
import { listArmedRulesOn } from './armed-rules.service.ts';
import { costMatchKey, costMeasure, hasCostTrigger, isReachedByFees } from './cost.rules.ts';
import { type CountedKind, hasCountTrigger } from './counted.rules.ts';
import { evaluateCounts } from './counted.service.ts';
import { hasCountryTrigger, waitsForCountry } from './facts.rules.ts';
import { listMoves } from './moves.service.ts';
import { listOrgsOn } from './time.views.ts';
import { evaluateEvents, measuredChange } from './trigger-events.service.ts';

/** How far back changes of networks are checked: records may be late, by hours if their gateway was cut off. */
const lateMs = 48 * hourMs;
/** Hours before the one of the fact whose sessions are counted again. */
const lateHours = 2;

const evaluateCount = async (
  tx: Sql,
  input: {
    orgId: number;
    kind: CountedKind;
    seen: readonly { simId: number; at: number }[];
    now: Date;
  },
): Promise<void> => {
  const { orgId, kind } = input;
  const rules = await listArmedRulesOn(tx, { orgId, kind, hasTrigger: hasCountTrigger });
  const own = rules.filter(({ trigger }) => trigger.kind === kind);
  if (own.length > 0) await evaluateCounts(tx, { ...input, rules: own });
};

/** Most facts report changed states, which are not counted; a transaction ends with the first fact that counts. */
const countSent = (clock: Clock) =>
  defineBatchConsumer({
    name: 'autoflow.count-sent',
    events: [smsChanged],
    handleAll: async (tx, facts) => {
      for (const [passed, { orgId, payload }] of facts.entries()) {
        const { sims, acceptedAt } = payload as z.output<typeof smsChanged.payload>;
        if (orgId === null || acceptedAt === undefined) continue;
        const seen = sims.map(({ simId }) => ({ simId, at: Date.parse(acceptedAt) }));
        await evaluateCount(tx, { orgId, kind: 'sms-mt', seen, now: clock.now() });
        return passed + 1;
      }
      return facts.length;
    },
  });

const countReceived = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.count-received',
    events: [smsReceived],
    handle: async (tx, { orgId, payload: { sims, at } }) => {
      if (orgId === null) return;
      const seen = sims.map(({ simId }) => ({ simId, at: Date.parse(at) }));
      await evaluateCount(tx, { orgId, kind: 'sms-mo', seen, now: clock.now() });
    },
  });

/** By ICCID of an organisation: when sessions began according to facts, and since when the SIM has moved; milliseconds. */
interface SessionChanges {
  started: Map<string, Set<number>>;
  moved: Map<string, number>;
}

const sessionChangesByOrg = (facts: readonly Fact[]): Map<number, SessionChanges> => {
  const byOrg = new Map<number, SessionChanges>();
  for (const { orgId, payload } of facts) {
    if (orgId === null) continue;
    const { at: factAt, changes } = payload as z.output<typeof sessionChanged.payload>;
    const at = Date.parse(factAt);
    for (const { iccids, kinds, movedAt } of changes) {
      const isStart = kinds.includes('session-started');
      const isMove = kinds.includes('network-changed');
      if (!isStart && !isMove) continue;
      const changed: SessionChanges = byOrg.get(orgId) ?? { started: new Map(), moved: new Map() };
      byOrg.set(orgId, changed);
      const since = Math.max(at - lateMs, movedAt === undefined ? 0 : Date.parse(movedAt));
      for (const iccid of iccids) {
        if (isStart) changed.started.set(iccid, (changed.started.get(iccid) ?? new Set<number>()).add(at));
        if (isMove) changed.moved.set(iccid, Math.min(since, changed.moved.get(iccid) ?? since));
      }
    }
  }
  return byOrg;
};

/** Facts about sessions are the most frequent: for all organisations without such rules they cost one query. */
const evaluateSessions = (clock: Clock) =>
  defineBatchConsumer({
    name: 'autoflow.judge-sessions',
    events: [sessionChanged],
    handleAll: async (tx, facts) => {
      const changesByOrg = sessionChangesByOrg(facts);
      const orgs = changesByOrg.size === 0 ? [] : await listOrgsOn(tx, ['sessions', 'country']);
      for (const orgId of orgs) {
        const own = changesByOrg.get(orgId);
        if (!own) continue;
        await countSessions(tx, { orgId, started: own.started, now: clock.now() });
        await evaluateMoves(tx, { orgId, moved: own.moved, now: clock.now() });
      }
      return facts.length;
    },
  });

const countSessions = async (
  tx: Sql,
  { orgId, started, now }: Pick<SessionChanges, 'started'> & { orgId: number; now: Date },
): Promise<void> => {
  if (started.size === 0) return;
  const ids = await findOwnSims(tx, { orgId, iccids: [...started.keys()] });
  const seen = [...ids].flatMap(([iccid, simId]) =>
    [...(started.get(iccid) ?? [])].flatMap((at) =>
      Array.from({ length: lateHours + 1 }, (_, back) => ({ simId, at: at - back * hourMs })),
    ),
  );
  await evaluateCount(tx, { orgId, kind: 'sessions', seen, now });
};

/** Earlier moves have been evaluated, for the scope that the SIM was in then. */
const evaluateMoves = async (
  tx: Sql,
  { orgId, moved, now }: Pick<SessionChanges, 'moved'> & { orgId: number; now: Date },
): Promise<void> => {
  if (moved.size === 0) return;
  const rules = await listArmedRulesOn(tx, { orgId, kind: 'country', hasTrigger: hasCountryTrigger });
  if (rules.length === 0) return;
  const ids = await findOwnSims(tx, { orgId, iccids: [...moved.keys()] });
  const sinceOf = new Map([...ids].map(([iccid, simId]) => [simId, moved.get(iccid) ?? 0]));
  const since = [...moved.values()].reduce((earliest, at) => Math.min(earliest, at), now.getTime());
  const moves = await listMoves(tx, { orgId, simIds: [...sinceOf.keys()], since });
  const recent = moves.filter(({ simId, at }) => at >= (sinceOf.get(simId) ?? 0));
  const events = recent.map(({ simId, at, from, to }) => ({
    simId,
    at,
    key: `${from} ${to} ${new Date(at).toISOString()}`,
    measure: (rule: ArmedRule) =>
      hasCountryTrigger(rule) && waitsForCountry(rule.trigger, { from, to })
        ? measuredChange(from, to)
        : undefined,
  }));
  await evaluateEvents(tx, { orgId, rules, events, now });
};

const evaluateCosts = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-costs',
    events: [costsRisen],
    handle: async (tx, { orgId, payload: { sims }, createdAt }) => {
      if (orgId === null) return;
      const rules = await listArmedRulesOn(tx, { orgId, kind: 'cost', hasTrigger: hasCostTrigger });
      if (rules.length === 0) return;
      // What an order costs from its start was caused by the task that started it; other costs, by usage.
      const since = sims.flatMap((rise) =>
        rules.some(({ trigger }) => isReachedByFees(trigger, rise))
          ? [[rise.simId, Date.parse(rise.cycleStartedAt)] as const]
          : [],
      );
      const tasks = await findStartTasks(tx, { orgId, since: new Map(since) });
      const events = sims.map(({ simId, cycleStartedAt, ...rise }) => ({
        simId,
        at: createdAt.getTime(),
        key: costMatchKey(cycleStartedAt),
        task: tasks.get(simId),
        isOfTask: (rule: ArmedRule) => hasCostTrigger(rule) && isReachedByFees(rule.trigger, rise),
        measure: (rule: ArmedRule) =>
          hasCostTrigger(rule) ? costMeasure(rule.trigger, rise, cycleStartedAt) : undefined,
      }));
      await evaluateEvents(tx, { orgId, rules, events, now: clock.now() });
    },
  });

export const countConsumers = (clock: Clock): Consumer[] => [
  countSent(clock),
  countReceived(clock),
  evaluateSessions(clock),
  evaluateCosts(clock),
];
