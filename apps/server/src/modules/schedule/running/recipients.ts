import { type ErrorCode, limits } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { simItems } from '../../sim/index.ts';
import { sendParametersSchema, sendToSims, simsPerSending } from '../../sms/index.ts';
import { defineOperation, type ItemKind, type Operation, type WaitingItem } from '../../task/index.ts';
import { findOwnRecipients, listRecipientSims } from './recipients.views.ts';

/**
 * SIMs of a schedule as items of its runs. The task centre does not treat them as SIMs, so that messages of
 * several schedules, and other work on the same SIM, do not exclude one another.
 */
export const recipients: ItemKind = {
  ...simItems,
  name: 'recipient',
  findOwn: findOwnRecipients,
};

/**
 * Time after the start of a run in which it sends: as late as a run may begin, and as long again for the largest one
 * behind other tasks.
 */
const sendingMs = limits.schedules.sendingHours * hourMs;

/**
 * One run of a schedule. SIMs that were removed from it in the meantime are skipped; what is left of a run that was
 * interrupted for too long is refused.
 */
export const runOperation: Operation = defineOperation({
  type: 'sms-schedule',
  items: recipients,
  parameters: sendParametersSchema,
  chunk: simsPerSending,
  apply: async (tx, work) => {
    if (work.now.getTime() - work.order.startedAt.getTime() > sendingMs)
      return new Map(work.items.map(({ position }) => [position, 'CB-04-0014']));
    const { found, missing } = await withSims(tx, work.items);
    const refusals = await sendToSims(tx, { ...work, items: found }, { isScheduled: true });
    return new Map<number, ErrorCode>([...refusals, ...missing]);
  },
});

const withSims = async (tx: Sql, items: readonly WaitingItem[]) => {
  const simIds = await listRecipientSims(
    tx,
    items.map(({ ref }) => ref),
  );
  const found: WaitingItem[] = [];
  const missing: [position: number, code: ErrorCode][] = [];
  for (const item of items) {
    const simId = simIds.get(item.ref);
    if (simId === undefined) missing.push([item.position, 'CB-01-0012']);
    else found.push({ ...item, ref: simId });
  }
  return { found, missing };
};
