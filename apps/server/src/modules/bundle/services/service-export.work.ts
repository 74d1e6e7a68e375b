import { languages, limits } from '@simcube/contract';
import { serviceFilterSchema } from '@simcube/contract/bundle';
import { fileFormatSchema } from '@simcube/contract/task';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { nextOrgServices } from './service-list.views.ts';
import { fileWords, serviceCells, serviceHeadings } from './services.files.ts';
import { findServices } from './services.views.ts';

const serviceExportSchema = z.object({
  filter: serviceFilterSchema,
  format: fileFormatSchema,
  language: z.enum(languages),
  timeZone: z.string(),
});
export type ServiceExport = z.output<typeof serviceExportSchema>;

const rowsAtOnce = 2000;

/** The orders that match a filter as a file, in the order of their making. */
export const serviceExportWork = ({ db }: { db: Db }): FileWork =>
  defineFileWork({
    type: 'service-export',
    parameters: serviceExportSchema,
    fileName: ({ format }, now) => `bundle-orders-${now.toISOString().slice(0, 10)}.${format}`,
    produce: ({ parameters, order, rows }) =>
      writeTable(parameters.format, rowsOf(db, { parameters, orgId: order.orgId, progress: rows })),
  });

async function* rowsOf(
  db: Db,
  {
    parameters,
    orgId,
    progress,
  }: { parameters: ServiceExport; orgId: number; progress: (rows: number) => void },
): AsyncIterable<readonly Cell[]> {
  const { filter, language } = parameters;
  const words = fileWords(parameters);
  const { heading, timeHeading, local } = words;
  yield [
    ...serviceHeadings(words),
    heading('device_name'),
    timeHeading('cycle_started'),
    timeHeading('cycle_ends'),
    heading('used'),
    heading('limit'),
  ];
  let after = 0;
  let count = 0;
  let ids: number[];
  do {
    const limit = Math.min(rowsAtOnce, limits.exportRows - count);
    ids = limit > 0 ? await nextOrgServices(db, { id: orgId }, { filter, after, limit }) : [];
    for (const service of await findServices(db, ids)) {
      yield [
        ...serviceCells(service, language, words),
        service.device_name,
        local(service.cycle?.started_at ?? null),
        local(service.cycle?.ends_at ?? null),
        service.cycle?.used_bytes ?? null,
        service.cycle?.limit_bytes ?? null,
      ];
    }
    count += ids.length;
    progress(count);
    after = ids.at(-1) ?? after;
  } while (ids.length === rowsAtOnce);
}
