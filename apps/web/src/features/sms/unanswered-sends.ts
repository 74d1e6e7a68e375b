import { z } from 'zod';
import { newOrderKey } from '../../lib/orders/index.ts';
import { session } from '../../lib/session/index.ts';

/** An order that was sent from this tab, and whose outcome is not known. */
const storageKey = 'simcube.sms.unanswered';
const storedSchema = z.object({ owner: z.string(), order: z.string(), key: z.string() });

const currentOwner = (): string => `${session.get('userId') ?? ''}/${session.get('partnerCode') ?? ''}`;

const readStored = (): z.output<typeof storedSchema> | undefined => {
  try {
    return storedSchema.safeParse(JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')).data;
  } catch {
    return undefined;
  }
};

/**
 * The key for sending an order: the previous one while that order has no response. It is stored in the tab, so that the same
 * order after a reload keeps its key.
 */
export const idempotencyKeyOf = (order: object): string => {
  const previous = readStored();
  const serialised = JSON.stringify(order);
  if (previous?.owner === currentOwner() && previous.order === serialised) return previous.key;
  const key = newOrderKey();
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ owner: currentOwner(), order: serialised, key }));
  } catch {
    // Storage is full: the key lasts as long as this attempt.
  }
  return key;
};

/** The order got a response: the same order is a new one next time. */
export const clearUnanswered = (order: object): void => {
  if (readStored()?.order === JSON.stringify(order)) sessionStorage.removeItem(storageKey);
};
