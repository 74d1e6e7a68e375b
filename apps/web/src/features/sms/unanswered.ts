import { z } from 'zod';
import { newOrderKey } from '../../lib/orders/index.ts';
import { session } from '../../lib/session/index.ts';

/** An order that was sent from this tab, and whose outcome is not known. */
const name = 'simcube.sms.unanswered';
const storedSchema = z.object({ owner: z.string(), order: z.string(), key: z.string() });

const owner = (): string => `${session.get('userId') ?? ''}/${session.get('partnerCode') ?? ''}`;

const stored = (): z.output<typeof storedSchema> | undefined => {
  try {
    return storedSchema.safeParse(JSON.parse(sessionStorage.getItem(name) ?? 'null')).data;
  } catch {
    return undefined;
  }
};

/**
 * The key for sending an order: the previous one while that order has no response. It is stored in the tab, so that the same
 * order after a reload keeps its key.
 */
export const keyOf = (order: object): string => {
  const before = stored();
  const text = JSON.stringify(order);
  if (before?.owner === owner() && before.order === text) return before.key;
  const key = newOrderKey();
  try {
    sessionStorage.setItem(name, JSON.stringify({ owner: owner(), order: text, key }));
  } catch {
    // Storage is full: the key lasts as long as this attempt.
  }
  return key;
};

/** The order got a response: the same order is a new one next time. */
export const settled = (order: object): void => {
  if (stored()?.order === JSON.stringify(order)) sessionStorage.removeItem(name);
};
