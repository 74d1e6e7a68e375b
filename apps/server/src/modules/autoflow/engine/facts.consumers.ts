import type { TriggerKind } from '@simcube/contract/autoflow';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Consumer, defineConsumer } from '../../../platform/outbox/index.ts';
import { imeiChanged } from '../../aaa/index.ts';
import { bundleOrderEnded, bundleOrderStarted } from '../../bundle/index.ts';
import { simLifecycleChanged, simUpdated } from '../../sim/index.ts';
import { watchAnyUsage } from '../../usage/index.ts';
import { armedOn } from './armed-on.service.ts';
import type { ArmedRule } from './armed-rule.rules.ts';
import { hasArmed } from './armed-rules.views.ts';
import { isOnImei, isOnStatus, unlistedDevices, waitsForImei, waitsForStatus } from './facts.rules.ts';
import { changed, judgeHappenings } from './happenings.service.ts';
import { listAllowedImeis } from './imei-lists.views.ts';

const usageKinds: readonly TriggerKind[] = ['data-usage', 'unusual-usage', 'first-use'];

const judgeLifecycles = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-lifecycles',
    events: [simLifecycleChanged],
    handle: async (tx, { orgId, payload: { sims, to, task } }) => {
      if (orgId === null) return;
      const rules = await armedOn(tx, { orgId, kind: 'status-change', is: isOnStatus });
      if (rules.length === 0) return;
      const happenings = sims.map(({ simId, from, at }) => ({
        simId,
        at: Date.parse(at),
        key: `${from} ${to} ${at}`,
        measure: (rule: ArmedRule) =>
          isOnStatus(rule) && waitsForStatus(rule.trigger, { from, to }) ? changed(from, to) : undefined,
      }));
      await judgeHappenings(tx, { orgId, rules, happenings, task, now: clock.now() });
    },
  });

const judgeDevices = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-devices',
    events: [imeiChanged],
    handle: async (tx, { orgId, payload: { sims } }) => {
      if (orgId === null) return;
      const rules = await armedOn(tx, { orgId, kind: 'imei-change', is: isOnImei });
      if (rules.length === 0) return;
      const lists = unlistedDevices(rules);
      const allowed = await listAllowedImeis(tx, { lists, simIds: sims.map(({ simId }) => simId) });
      const happenings = sims.map(({ simId, from, to, at }) => ({
        simId,
        at: Date.parse(at),
        key: `${to} ${at}`,
        measure: (rule: ArmedRule) =>
          isOnImei(rule) && waitsForImei(rule.trigger, { from, to, allowed: allowed.get(simId) })
            ? changed(from, to)
            : undefined,
      }));
      await judgeHappenings(tx, { orgId, rules, happenings, now: clock.now() });
    },
  });

/** A change of tags or bundle, or an activation, changes which rules are for a SIM: its next record is checked. */
const follow = (tx: Sql, orgId: number | null, simIds: readonly number[]): Promise<void> =>
  orgId === null
    ? Promise.resolve()
    : hasArmed(tx, orgId, usageKinds).then((has) => (has ? watchAnyUsage(tx, simIds) : undefined));

const followTags = defineConsumer({
  name: 'autoflow.follow-tags',
  events: [simUpdated],
  handle: (tx, { orgId, payload: { sims } }) =>
    follow(
      tx,
      orgId,
      sims.map(({ simId }) => simId),
    ),
});

const followBundles = defineConsumer({
  name: 'autoflow.follow-bundles',
  events: [bundleOrderStarted, bundleOrderEnded],
  handle: (tx, { orgId, payload: { simId } }) => follow(tx, orgId, [simId]),
});

const followActivations = defineConsumer({
  name: 'autoflow.follow-activations',
  events: [simLifecycleChanged],
  handle: async (tx, { orgId, payload: { sims, to } }) => {
    if (to === 'active')
      await follow(
        tx,
        orgId,
        sims.map(({ simId }) => simId),
      );
  },
});

export const factConsumers = (clock: Clock): Consumer[] => [
  judgeLifecycles(clock),
  judgeDevices(clock),
  followTags,
  followBundles,
  followActivations,
];
