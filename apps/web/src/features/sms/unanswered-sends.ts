import { newWriteKey } from '../../lib/api-client/index.ts';
import { session } from '../../lib/session/index.ts';

const currentOwner = (): string => `${session.get('userId') ?? ''}/${session.get('partnerCode') ?? ''}`;

/**
 * The key for sending an order: the previous one while that order has no response. It is stored in the tab until the session ends,
 * so that the same order after a reload keeps its key.
 */
export const idempotencyKeyOf = (order: object): string => {
  const previous = session.get('unansweredMessage');
  const serialised = JSON.stringify(order);
  if (previous?.owner === currentOwner() && previous.order === serialised) return previous.key;
  const key = newWriteKey();
  session.set('unansweredMessage', { owner: currentOwner(), order: serialised, key });
  return key;
};

/** The order got a response: the same order is a new one next time. */
export const clearUnanswered = (order: object): void => {
  if (session.get('unansweredMessage')?.order === JSON.stringify(order)) session.remove('unansweredMessage');
};
