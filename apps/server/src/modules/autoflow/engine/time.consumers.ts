import type { Clock } from '../../../platform/clock/index.ts';
import { type Consumer, defineConsumer } from '../../../platform/outbox/index.ts';
import { lifecycleEndsMoved } from '../../bundle/index.ts';
import { simTransferred } from '../../sim/index.ts';
import { armedOn } from './armed-on.service.ts';
import type { ArmedOn, ArmedRule } from './armed-rule.rules.ts';
import { isOn } from './armed-rule.rules.ts';
import { judgeHappenings } from './happenings.service.ts';
import { keyOf, leadOf, measuredOf } from './time.rules.ts';
import { listInstants } from './time.views.ts';

const kind = 'lifecycle-expiry';
const isOnExpiry: (rule: ArmedRule) => rule is ArmedOn<typeof kind> = isOn(kind);

/**
 * An end that is nearer than a rule's days when it becomes known, or with the SIM's new owner, is due at once: the runs by the
 * clock look at what comes due from then on. What both see has one key.
 */
const judgeNearEnds = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-near-ends',
    events: [lifecycleEndsMoved, simTransferred],
    handle: async (tx, { orgId, payload, createdAt }) => {
      if (orgId === null || ('side' in payload && payload.side !== 'to')) return;
      const rules = await armedOn(tx, { orgId, kind, is: isOnExpiry });
      const [first] = rules;
      if (!first) return;
      const simIds = 'side' in payload ? payload.sims.map(({ simId }) => simId) : payload.simIds;
      const now = clock.now();
      const ends = await listInstants(tx, { orgId, kind, simIds });
      const happenings = ends.map(({ simId, instant }) => ({
        simId,
        at: createdAt.getTime(),
        key: keyOf(first, instant),
        measure: (rule: ArmedRule) =>
          isOnExpiry(rule) && instant + leadOf(rule) <= now.getTime()
            ? measuredOf(rule, { instant, now: now.getTime() })
            : undefined,
      }));
      await judgeHappenings(tx, { orgId, rules, happenings, now });
    },
  });

export const timeConsumers = (clock: Clock): Consumer[] => [judgeNearEnds(clock)];
