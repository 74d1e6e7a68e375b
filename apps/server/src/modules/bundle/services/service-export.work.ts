import { languages, limits } from '@simcube/contract';
import { serviceFilterSchema } from '@simcube/contract/bundle';
import { fileFormatSchema } from '@simcube/contract/task';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { readAll } from '../../../platform/lists/index.ts';
import type { FindCosts } from '../../sim/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { costCells, withCosts } from './service-costs.ts';
import { orgServiceList } from './service-list.views.ts';
import { fileWords, overageCells, overageHeadings, serviceCells, serviceHeadings } from './services.files.ts';

const serviceExportSchema = z.object({
  filter: serviceFilterSchema,
  format: fileFormatSchema,
  language: z.enum(languages),
  timeZone: z.string(),
});
export type ServiceExport = z.output<typeof serviceExportSchema>;

interface ServiceExportSources {
  db: Db;
  costsOf: FindCosts;
}

const batchSize = 2000;

/** The orders that match a filter as a file, in order of creation. */
export const serviceExportWork = ({ db, costsOf }: ServiceExportSources): FileWork =>
  defineFileWork({
    type: 'service-export',
    access: { key: 'sim', action: 'read' },
    parameters: serviceExportSchema,
    fileName: ({ format }, now) => `bundle-orders-${now.toISOString().slice(0, 10)}.${format}`,
    produce: ({ parameters, order, now, reportRows: rows }) =>
      writeTable(
        parameters.format,
        rowsOf({ db, costsOf }, { parameters, orgId: order.orgId, now, progress: rows }),
      ),
  });

async function* rowsOf(
  { db, costsOf }: ServiceExportSources,
  {
    parameters,
    orgId,
    now,
    progress,
  }: { parameters: ServiceExport; orgId: number; now: Date; progress: (rows: number) => void },
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
    heading('cost'),
    heading('currency'),
    ...overageHeadings(words),
  ];
  let count = 0;
  const query = { scope: { orgId }, filter, now, atOnce: batchSize };
  for await (const services of readAll(db, { ...orgServiceList, order: [] }, query)) {
    for (const service of await withCosts(costsOf, { id: orgId }, services)) {
      yield [
        ...serviceCells(service, language, words),
        service.device_name,
        local(service.cycle?.started_at ?? null),
        local(service.cycle?.ends_at ?? null),
        service.cycle?.used_bytes ?? null,
        service.cycle?.limit_bytes ?? null,
        ...costCells(service),
        ...overageCells(service),
      ];
    }
    count += services.length;
    progress(count);
    if (count > limits.exportRows) return;
  }
}
