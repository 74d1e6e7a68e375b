import type { TriggerKind } from '@simcube/contract/autoflow';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Consumer, defineConsumer } from '../../../platform/outbox/index.ts';
import { imeiChanged } from '../../aaa/index.ts';
import { bundleOrderEnded, bundleOrderStarted, lastBasicTypes } from '../../bundle/index.ts';
import { simLifecycleChanged, simUpdated } from '../../sim/index.ts';
import { watchAnyUsage } from '../../usage/index.ts';
import type { ArmedRule } from './armed-rule.rules.ts';
import { listArmedRulesOn } from './armed-rules.service.ts';
import { hasArmedRules } from './armed-rules.views.ts';
import {
  hasImeiTrigger,
  hasStatusTrigger,
  listImeiLists,
  waitsForImei,
  waitsForStatus,
} from './facts.rules.ts';
import { listAllowedImeis } from './imei-lists.views.ts';
import { evaluateEvents, measuredChange } from './trigger-events.service.ts';

const usageKinds: readonly TriggerKind[] = ['data-usage', 'unusual-usage', 'first-use'];

const evaluateLifecycles = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-lifecycles',
    events: [simLifecycleChanged],
    handle: async (tx, { orgId, payload: { sims, to, task } }) => {
      if (orgId === null) return;
      const rules = await listArmedRulesOn(tx, {
        orgId,
        kind: 'status-change',
        hasTrigger: hasStatusTrigger,
      });
      if (rules.length === 0) return;
      const events = sims.map(({ simId, from, at }) => ({
        simId,
        at: Date.parse(at),
        key: `${from} ${to} ${at}`,
        task,
        measure: (rule: ArmedRule) =>
          hasStatusTrigger(rule) && waitsForStatus(rule.trigger, { from, to })
            ? measuredChange(from, to)
            : undefined,
      }));
      const hasEnded = to === 'expired' || to === 'terminated';
      const isByType = rules.some(({ scope }) => scope.kind === 'product-type');
      // The order of such a SIM ends in the transaction that ends its lifecycle.
      const endedTypes =
        hasEnded && isByType
          ? await lastBasicTypes(tx, { orgId, simIds: sims.map(({ simId }) => simId) })
          : new Map<number, string>();
      await evaluateEvents(tx, { orgId, rules, events, endedTypes, now: clock.now() });
    },
  });

const evaluateDevices = (clock: Clock) =>
  defineConsumer({
    name: 'autoflow.judge-devices',
    events: [imeiChanged],
    handle: async (tx, { orgId, payload: { sims } }) => {
      if (orgId === null) return;
      const rules = await listArmedRulesOn(tx, { orgId, kind: 'imei-change', hasTrigger: hasImeiTrigger });
      if (rules.length === 0) return;
      const lists = listImeiLists(rules);
      const allowed = await listAllowedImeis(tx, { lists, simIds: sims.map(({ simId }) => simId) });
      const events = sims.map(({ simId, from, to, at }) => ({
        simId,
        at: Date.parse(at),
        key: `${to} ${at}`,
        measure: (rule: ArmedRule) =>
          hasImeiTrigger(rule) && waitsForImei(rule.trigger, { from, to, allowed: allowed.get(simId) })
            ? measuredChange(from, to)
            : undefined,
      }));
      await evaluateEvents(tx, { orgId, rules, events, now: clock.now() });
    },
  });

/** A change of tags or bundle, or an activation, changes which rules are for a SIM: its next record is checked. */
const watchNextRecord = (tx: Sql, orgId: number | null, simIds: readonly number[]): Promise<void> =>
  orgId === null
    ? Promise.resolve()
    : hasArmedRules(tx, orgId, usageKinds).then((isArmed) =>
        isArmed ? watchAnyUsage(tx, simIds) : undefined,
      );

const followTags = defineConsumer({
  name: 'autoflow.follow-tags',
  events: [simUpdated],
  handle: (tx, { orgId, payload: { sims } }) =>
    watchNextRecord(
      tx,
      orgId,
      sims.map(({ simId }) => simId),
    ),
});

const followBundles = defineConsumer({
  name: 'autoflow.follow-bundles',
  events: [bundleOrderStarted, bundleOrderEnded],
  handle: (tx, { orgId, payload: { simId } }) => watchNextRecord(tx, orgId, [simId]),
});

const followActivations = defineConsumer({
  name: 'autoflow.follow-activations',
  events: [simLifecycleChanged],
  handle: async (tx, { orgId, payload: { sims, to } }) => {
    if (to === 'active')
      await watchNextRecord(
        tx,
        orgId,
        sims.map(({ simId }) => simId),
      );
  },
});

export const factConsumers = (clock: Clock): Consumer[] => [
  evaluateLifecycles(clock),
  evaluateDevices(clock),
  followTags,
  followBundles,
  followActivations,
];
