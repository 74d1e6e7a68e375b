import type { SmsReason } from '@simcube/contract/sms';
import { hourMs } from '@simcube/contract/time';
import { defineConsumer } from '../../../platform/outbox/index.ts';
import { smsTextSettled } from '../../sms/index.ts';
import type { Outcome } from './channels.ts';
import { attemptOf } from './deliveries.rules.ts';
import { findAttempt } from './deliveries.views.ts';
import { settle } from './settle.service.ts';

/**
 * The network's final report about a message is the result of its attempt. Each attempt costs a message that
 * the SMSC accepted, so the next is at least an hour later.
 */
const outcomeOf = (reason: SmsReason | null): Outcome => {
  if (reason === null) return { delivered: true };
  const failed = { delivered: false, addressOnly: true } as const;
  switch (reason) {
    case 'address-invalid':
      return { ...failed, fault: 'number', final: true };
    case 'not-sent-in-time':
      return { ...failed, fault: 'expired', final: true };
    // The phone has a SIM that may no longer be sent messages: the same as on acceptance.
    case 'sim-moved':
    case 'sim-ended':
    case 'sim-suspended':
      return { ...failed, fault: 'sim', final: true };
    case 'refused':
      return { ...failed, fault: 'undelivered' };
    default:
      return { ...failed, fault: 'undelivered', requestedDelayMs: hourMs };
  }
};

/** Settles text deliveries by their receipts. */
export const settleTexts = defineConsumer({
  name: 'notify.settle-texts',
  from: 'beginning',
  events: [smsTextSettled],
  handle: async (tx, { payload: { reference, reason, at } }) => {
    const attempt = await findAttempt(tx, attemptOf(reference));
    if (!attempt) return;
    const now = new Date(at);
    const durationMs = Math.max(0, now.getTime() - attempt.beganAt.getTime());
    await settle(tx, [{ delivery: attempt, outcome: outcomeOf(reason), durationMs }], now);
  },
});
