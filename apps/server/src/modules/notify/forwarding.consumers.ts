import { defineConsumer } from '../../platform/outbox/index.ts';
import { findForwarded, smsReceived } from '../sms/index.ts';
import { notifyTargets } from './deliveries/notifications.service.ts';

/** Forwards messages from SIMs to the targets that their organisation has chosen. */
export const forwardMessages = defineConsumer({
  name: 'notify.forward-messages',
  events: [smsReceived],
  handle: async (tx, { orgId, payload: { sims, at: time, messageId } }) => {
    const [sim] = sims;
    if (orgId === null || !sim) return;
    const at = new Date(time);
    const forwarded = await findForwarded(tx, { orgId, simId: sim.simId, at, messageId });
    if (!forwarded) return;
    const { targetIds, missingParts, ...message } = forwarded;
    const fields = { ...message, message_id: message.id, missing_parts: missingParts, at: time };
    await notifyTargets(tx, { orgId, kind: 'sms.received', fields, at }, targetIds);
  },
});
