import { languages, limits } from '@simcube/contract';
import { simSelectionSchema } from '@simcube/contract/sim';
import { fileFormatSchema } from '@simcube/contract/task';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { csvByteOrderMark, csvLine, lineEndConverter } from '../../../platform/csv/index.ts';
import { openSnapshot, typedWithin } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { amountOf, type FindCosts } from '../sim.views.ts';
import { scopedTo } from '../sim-scope.views.ts';
import {
  copyLines,
  type ExportedSim,
  exportBatchSize,
  exportColumns,
  readRows,
  selectForExport,
  supportedTimeZone,
} from './export.views.ts';

export interface ExportOptions {
  pool: pg.Pool;
  clock: Clock;
  costsOf: FindCosts;
}

const exportParametersSchema = z.object({
  selection: simSelectionSchema,
  format: fileFormatSchema,
  language: z.enum(languages),
  timeZone: z.string(),
});

/** The SIMs of a selection as a file: CSV directly from the database's COPY, workbooks row by row. */
export const exportWork = ({ pool, clock, costsOf }: ExportOptions): FileWork =>
  defineFileWork({
    type: 'sim-export',
    access: { key: 'sim', action: 'read' },
    parameters: exportParametersSchema,
    fileName: ({ format }, now) => `sims-${now.toISOString().slice(0, 10)}.${format}`,
    produce: async function* ({ parameters, order, reportRows }) {
      const { selection, format, language } = parameters;
      const timeZone = await supportedTimeZone(pool, parameters.timeZone);
      const now = clock.now();
      const columns = exportColumns({ language, timeZone, now, neutraliseFormulas: format === 'csv' });
      const headings = columns.map(({ heading }) => heading);
      const snapshot = await openSnapshot(pool);
      try {
        const { client } = snapshot;
        const scope = scopedTo({ id: order.orgId });
        const query = { db: typedWithin(client), scope, selection, limit: limits.exportRows + 1, now };
        const sims = await selectForExport(query);
        const costs = (iccids: readonly string[]) =>
          costsOf({ orgId: order.orgId, iccids, snapshot: client });
        const run = { client, columns, sims, reportRows, costs };
        if (format === 'csv') {
          yield Buffer.from(`${csvByteOrderMark}${csvLine(headings)}`);
          yield* linesOf(run);
        } else {
          yield* writeTable(format, withHeading(headings, run));
        }
        await snapshot.end();
      } finally {
        snapshot.release();
      }
    },
  });

interface ExportRun {
  client: pg.PoolClient;
  columns: readonly { sql: string }[];
  sims: readonly ExportedSim[];
  costs: (iccids: readonly string[]) => ReturnType<FindCosts>;
  reportRows: (rows: number) => void;
}

/** The SIMs in batches, with their costs. */
async function* batchesOf({ sims, reportRows, costs }: ExportRun) {
  for (let from = 0; from < sims.length; from += exportBatchSize) {
    const batch = sims.slice(from, from + exportBatchSize);
    const costsByIccid = await costs(batch.map(({ iccid }) => iccid));
    yield batch.map((sim) => ({ ...sim, cost: amountOf(costsByIccid.get(sim.iccid)) }));
    reportRows(from + batch.length);
  }
}

async function* linesOf(run: ExportRun): AsyncIterable<Buffer> {
  const { client, columns } = run;
  const ended = lineEndConverter();
  for await (const sims of batchesOf(run))
    for await (const batch of copyLines(client, { columns, sims })) yield ended(batch);
}

async function* withHeading(headings: readonly string[], run: ExportRun): AsyncIterable<readonly Cell[]> {
  yield headings;
  const { client, columns } = run;
  for await (const sims of batchesOf(run)) yield* await readRows(client, { columns, sims });
}
