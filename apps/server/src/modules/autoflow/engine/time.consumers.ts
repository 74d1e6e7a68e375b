import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Consumer, defineConsumer } from '../../../platform/outbox/index.ts';
import { lifecycleEndsMoved } from '../../bundle/index.ts';
import { simImported, simTransferred } from '../../sim/index.ts';
import type { ArmedRule } from './armed-rule.rules.ts';
import { listArmedRulesOn } from './armed-rules.service.ts';
import { hasTimeTrigger, keyOf, leadMs, measuredOf, type TimeRule } from './time.rules.ts';
import { filterUnused } from './time.service.ts';
import { listInstants } from './time.views.ts';
import { evaluateEvents } from './trigger-events.service.ts';

interface KnownEnds {
  orgId: number;
  simIds: readonly number[];
  /** When the ends became known; milliseconds. */
  at: number;
  /** The task by which they did. */
  task?: string | undefined;
  now: Date;
}

/**
 * An end that is already nearer than a rule's days when it becomes known, or when the SIM gets a new owner, is due
 * immediately: the timed runs only check what becomes due after that. If both find it, the key is the same.
 */
const evaluateNear = async (
  tx: Sql,
  kind: 'lifecycle-expiry' | 'first-use',
  { orgId, simIds, at, task, now }: KnownEnds,
): Promise<void> => {
  const isOfKind = (rule: ArmedRule): rule is TimeRule => rule.trigger.kind === kind && hasTimeTrigger(rule);
  const rules = await listArmedRulesOn(tx, { orgId, kind, hasTrigger: isOfKind });
  const [first] = rules;
  if (!first) return;
  const isDue = (rule: TimeRule, instant: number) => instant + leadMs(rule) <= now.getTime();
  const known = await listInstants(tx, { orgId, kind, simIds });
  const near = known.filter(({ instant }) => rules.some((rule) => isDue(rule, instant)));
  const events = (kind === 'first-use' ? await filterUnused(tx, near, now) : near).map(
    ({ simId, instant }) => ({
      simId,
      at,
      task,
      key: keyOf(first, instant),
      measure: (rule: ArmedRule) =>
        isOfKind(rule) && isDue(rule, instant)
          ? measuredOf(rule, { instant, now: now.getTime() })
          : undefined,
    }),
  );
  if (events.length > 0) await evaluateEvents(tx, { orgId, rules, events, now });
};

const evaluateNearEnds = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-near-ends',
    events: [lifecycleEndsMoved, simTransferred],
    handle: async (tx, { orgId, payload, createdAt }) => {
      if (orgId === null || ('side' in payload && payload.side !== 'to')) return;
      const simIds = 'side' in payload ? payload.sims.map(({ simId }) => simId) : payload.simIds;
      await evaluateNear(tx, 'lifecycle-expiry', {
        orgId,
        simIds,
        at: createdAt.getTime(),
        task: 'task' in payload ? payload.task : undefined,
        now: clock.now(),
      });
    },
  });

const evaluateNearPeriods = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-near-periods',
    events: [simImported, simTransferred],
    handle: async (tx, { orgId, payload, createdAt }) => {
      if (orgId === null || ('side' in payload && payload.side !== 'to')) return;
      const simIds = 'side' in payload ? payload.sims.map(({ simId }) => simId) : (payload.simIds ?? []);
      if (simIds.length === 0) return;
      await evaluateNear(tx, 'first-use', { orgId, simIds, at: createdAt.getTime(), now: clock.now() });
    },
  });

export const timeConsumers = (clock: Clock): Consumer[] => [
  evaluateNearEnds(clock),
  evaluateNearPeriods(clock),
];
