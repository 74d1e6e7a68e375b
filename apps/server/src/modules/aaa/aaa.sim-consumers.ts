import { lifecyclesWithData } from '@simcube/contract/sim';
import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { simDataHeld, simLifecycleChanged, simReset, simTransferred } from '../sim/index.ts';
import { enqueueControl, enqueueDisconnect } from './control/control.job.ts';
import { listOpenSessions } from './control/sessions.views.ts';
import { resetSessions } from './sessions/close-sessions.service.ts';

const idsOf = (sims: readonly { simId: number }[]): number[] => sims.map(({ simId }) => simId);

const disconnectWithoutService = defineConsumer({
  name: 'aaa.disconnect-without-service',
  from: 'beginning',
  events: [simLifecycleChanged],
  handle: async (tx, { payload: { sims, to } }) => {
    // The next Access-Request decides whether the SIM really has service.
    if (lifecyclesWithData.includes(to)) return;
    const simIds = new Set((await listOpenSessions(tx, idsOf(sims))).map(({ simId }) => simId));
    const orders = [...simIds].map((simId) => ({ simId, reason: to }));
    await enqueueControl(tx, orders);
  },
});

/** Ends sessions, or sets the rate that applies from now on. */
const followHolds = defineConsumer({
  name: 'aaa.follow-holds',
  from: 'beginning',
  events: [simDataHeld],
  handle: async (tx, { payload: { sims, hold } }) => {
    const online = new Set((await listOpenSessions(tx, idsOf(sims))).map(({ simId }) => simId));
    const reason = hold === 'off' ? 'data-off' : hold === 'slow' ? 'data-slowed' : 'resume';
    await enqueueControl(
      tx,
      [...online].map((simId) => ({ simId, reason })),
    );
  },
});

/** Usage after the transfer belongs to the new organisation, in a new session record. */
const disconnectTransferred = defineConsumer({
  name: 'aaa.disconnect-transferred',
  from: 'beginning',
  events: [simTransferred],
  handle: async (tx, { payload: { sims, side } }) => {
    if (side !== 'to') return;
    await enqueueDisconnect(tx, await listOpenSessions(tx, idsOf(sims)), 'transferred');
  },
});

/** Ends sessions immediately, whatever the gateways reply: a stuck device must start again. */
const forgetReset = defineConsumer({
  name: 'aaa.forget-reset',
  from: 'beginning',
  events: [simReset],
  handle: async (tx, { payload: { sims, at } }) => {
    await enqueueDisconnect(tx, await resetSessions(tx, idsOf(sims), new Date(at)), 'reset');
  },
});

export const simConsumers: Consumer[] = [
  disconnectWithoutService,
  followHolds,
  disconnectTransferred,
  forgetReset,
];
