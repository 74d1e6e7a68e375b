import { languages, limits } from '@simcube/contract';
import { smsFilterSchema, smsIdSchema } from '@simcube/contract/sms';
import { fileFormatSchema } from '@simcube/contract/task';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { readAll } from '../../../platform/lists/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { messageList } from '../messages/message-list.views.ts';
import { messageCells, messageHeadings } from './message-cells.ts';

/** The parameters of a report. */
const reportSchema = z.object({
  filter: smsFilterSchema.extend({ reply_to: smsIdSchema.optional() }),
  format: fileFormatSchema,
  language: z.enum(languages),
  timeZone: z.string(),
});
export type Report = z.output<typeof reportSchema>;

const batchSize = 5000;

const reportOf = (direction: 'mt' | 'mo', { db }: { db: Db }): FileWork =>
  defineFileWork({
    type: `sms-${direction}-report`,
    access: { key: 'cube-schedule-sms', action: 'read' },
    parameters: reportSchema,
    fileName: ({ format }, now) => `sms-${direction}-${now.toISOString().slice(0, 10)}.${format}`,
    produce: ({ parameters, order, now, reportRows: rows }) =>
      writeTable(
        parameters.format,
        reportRows(db, { parameters, orgId: order.orgId, now, onProgress: rows }),
      ),
  });

async function* reportRows(
  db: Db,
  work: { parameters: Report; orgId: number; now: Date; onProgress: (rows: number) => void },
): AsyncIterable<readonly Cell[]> {
  const { parameters, orgId, now, onProgress } = work;
  yield messageHeadings(parameters);
  const cells = messageCells(parameters);
  let count = 0;
  const query = { scope: { orgId }, filter: parameters.filter, now, atOnce: batchSize };
  for await (const messages of readAll(db, messageList, query)) {
    for (const message of messages) yield cells(message);
    count += messages.length;
    onProgress(count);
    if (count > limits.exportRows) return;
  }
}

/** Exports messages to SIMs, or from them, as a file. */
export const reportWorks = (options: { db: Db }): FileWork[] => [
  reportOf('mt', options),
  reportOf('mo', options),
];
