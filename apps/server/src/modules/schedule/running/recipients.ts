import type { ErrorCode } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { sendParametersSchema, sendToSims, simsPerSending } from '../../sms/index.ts';
import {
  defineOperation,
  type ItemKind,
  labelColumn,
  type Operation,
  type WaitingItem,
} from '../../task/index.ts';
import { findOwnRecipients, listRecipientSims } from './recipients.views.ts';

/**
 * SIMs of a schedule as items of its runs. The task centre does not treat them as SIMs, so that messages of
 * several schedules, and other work on the same SIM, do not exclude one another.
 */
export const recipients: ItemKind = {
  name: 'recipient',
  columns: [labelColumn('sim.columns.iccid')],
  findOwn: findOwnRecipients,
};

/** One run of a schedule. SIMs that were removed from it in the meantime are skipped. */
export const runOperation: Operation = defineOperation({
  type: 'sms-schedule',
  items: recipients,
  parameters: sendParametersSchema,
  chunk: simsPerSending,
  apply: async (tx, work) => {
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
