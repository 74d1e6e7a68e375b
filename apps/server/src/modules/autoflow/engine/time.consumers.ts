import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Consumer, defineConsumer } from '../../../platform/outbox/index.ts';
import { lifecycleEndsMoved } from '../../bundle/index.ts';
import { simImported, simTransferred } from '../../sim/index.ts';
import { armedOn } from './armed-on.service.ts';
import type { ArmedRule } from './armed-rule.rules.ts';
import { judgeHappenings } from './happenings.service.ts';
import { isOnTime, keyOf, leadOf, measuredOf, type TimeRule } from './time.rules.ts';
import { unusedOf } from './time.service.ts';
import { listInstants } from './time.views.ts';

interface Known {
  orgId: number;
  simIds: readonly number[];
  /** When the ends became known; milliseconds. */
  at: number;
  now: Date;
}

/**
 * An end that is already nearer than a rule's days when it becomes known, or when the SIM gets a new owner, is due
 * immediately: the timed runs only check what becomes due after that. If both find it, the key is the same.
 */
const judgeNear = async (
  tx: Sql,
  kind: 'lifecycle-expiry' | 'first-use',
  { orgId, simIds, at, now }: Known,
): Promise<void> => {
  const isOnKind = (rule: ArmedRule): rule is TimeRule => rule.trigger.kind === kind && isOnTime(rule);
  const rules = await armedOn(tx, { orgId, kind, is: isOnKind });
  const [first] = rules;
  if (!first) return;
  const isDue = (rule: TimeRule, instant: number) => instant + leadOf(rule) <= now.getTime();
  const known = await listInstants(tx, { orgId, kind, simIds });
  const near = known.filter(({ instant }) => rules.some((rule) => isDue(rule, instant)));
  const happenings = (kind === 'first-use' ? await unusedOf(tx, near, now) : near).map(
    ({ simId, instant }) => ({
      ...{ simId, at, key: keyOf(first, instant) },
      measure: (rule: ArmedRule) =>
        isOnKind(rule) && isDue(rule, instant)
          ? measuredOf(rule, { instant, now: now.getTime() })
          : undefined,
    }),
  );
  if (happenings.length > 0) await judgeHappenings(tx, { orgId, rules, happenings, now });
};

const judgeNearEnds = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-near-ends',
    events: [lifecycleEndsMoved, simTransferred],
    handle: async (tx, { orgId, payload, createdAt }) => {
      if (orgId === null || ('side' in payload && payload.side !== 'to')) return;
      const simIds = 'side' in payload ? payload.sims.map(({ simId }) => simId) : payload.simIds;
      await judgeNear(tx, 'lifecycle-expiry', { orgId, simIds, at: createdAt.getTime(), now: clock.now() });
    },
  });

const judgeNearPeriods = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-near-periods',
    events: [simImported, simTransferred],
    handle: async (tx, { orgId, payload, createdAt }) => {
      if (orgId === null || ('side' in payload && payload.side !== 'to')) return;
      const simIds = 'side' in payload ? payload.sims.map(({ simId }) => simId) : (payload.simIds ?? []);
      if (simIds.length === 0) return;
      await judgeNear(tx, 'first-use', { orgId, simIds, at: createdAt.getTime(), now: clock.now() });
    },
  });

export const timeConsumers = (clock: Clock): Consumer[] => [judgeNearEnds(clock), judgeNearPeriods(clock)];
