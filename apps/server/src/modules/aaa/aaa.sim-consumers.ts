import { enqueueMany } from '../../platform/jobs/index.ts';
import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { simLifecycleChanged, simReset, simTransferred } from '../sim/index.ts';
import { controlJob } from './aaa.jobs.ts';
import { listSimsWithSession } from './control/control.queries.ts';
import { forgetSessions } from './sessions/close-sessions.queries.ts';

/** Lifecycles that may have service; whether they do is decided at the next Access-Request. */
const withService = new Set(['active', 'pre-activated']);

const idsOf = (sims: readonly { simId: number }[]): number[] => sims.map(({ simId }) => simId);

const disconnectWithoutService = defineConsumer({
  name: 'aaa.disconnect-without-service',
  events: [simLifecycleChanged],
  handle: async (tx, { payload: { sims, to } }) => {
    if (withService.has(to)) return;
    const online = await listSimsWithSession(tx, idsOf(sims));
    const orders = online.map((simId) => ({ action: 'disconnect' as const, simId, reason: to }));
    await enqueueMany(tx, controlJob, orders);
  },
});

/** What goes on after the transfer is the new organisation's, in a session of its own. */
const disconnectTransferred = defineConsumer({
  name: 'aaa.disconnect-transferred',
  events: [simTransferred],
  handle: async (tx, { payload: { sims, side } }) => {
    if (side !== 'to') return;
    const online = await listSimsWithSession(tx, idsOf(sims));
    const orders = online.map((simId) => ({ action: 'disconnect' as const, simId, reason: 'transferred' }));
    await enqueueMany(tx, controlJob, orders);
  },
});

/** Here the sessions are over at once, whatever the gateways answer: a device that is stuck has to begin anew. */
const forgetReset = defineConsumer({
  name: 'aaa.forget-reset',
  events: [simReset],
  handle: async (tx, { payload: { sims, at } }) => {
    const closed = await forgetSessions(tx, idsOf(sims), new Date(at));
    const orders = closed.map(({ simId, sessionKeys }) => ({
      action: 'disconnect' as const,
      simId,
      reason: 'reset',
      sessionKeys,
    }));
    await enqueueMany(tx, controlJob, orders);
  },
});

export const simConsumers: Consumer[] = [disconnectWithoutService, disconnectTransferred, forgetReset];
