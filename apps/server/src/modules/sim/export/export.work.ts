import { languages, limits } from '@simcube/contract';
import { simSelectionSchema } from '@simcube/contract/sim';
import { fileFormatSchema } from '@simcube/contract/task';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { csvBeginning, csvLine, lineEnder } from '../../../platform/csv/index.ts';
import { type Db, openSnapshot } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { scopedTo } from '../sim-scope.views.ts';
import {
  copyLines,
  exportColumns,
  knownTimeZone,
  readRows,
  rowsAtOnce,
  selectForExport,
} from './export.views.ts';

const exportParametersSchema = z.object({
  selection: simSelectionSchema,
  format: fileFormatSchema,
  language: z.enum(languages),
  timeZone: z.string(),
});

/** The SIMs of a selection as a file: CSV straight from the database's COPY, workbooks row by row. */
export const exportWork = ({ pool, db, clock }: { pool: pg.Pool; db: Db; clock: Clock }): FileWork =>
  defineFileWork({
    type: 'sim-export',
    parameters: exportParametersSchema,
    fileName: ({ format }, now) => `sims-${now.toISOString().slice(0, 10)}.${format}`,
    produce: async function* ({ parameters, order, rows: told }) {
      const { selection, format, language } = parameters;
      const timeZone = await knownTimeZone(pool, parameters.timeZone);
      const columns = exportColumns({ language, timeZone, neutral: format === 'csv' });
      const headings = columns.map(({ heading }) => heading);
      const snapshot = await openSnapshot(pool);
      try {
        const { client } = snapshot;
        const scope = scopedTo({ id: order.orgId });
        const question = { db, scope, selection, limit: limits.exportRows, now: clock.now() };
        const ids = await selectForExport(client, question);
        const reading = { client, columns, ids, told };
        if (format === 'csv') {
          yield Buffer.from(`${csvBeginning}${csvLine(headings)}`);
          yield* linesOf(reading);
        } else {
          yield* writeTable(format, withHeading(headings, reading));
        }
        await snapshot.end();
      } finally {
        snapshot.release();
      }
    },
  });

interface Reading {
  client: pg.PoolClient;
  columns: readonly { sql: string }[];
  ids: readonly number[];
  told: (rows: number) => void;
}

async function* linesOf({ client, columns, ids, told }: Reading): AsyncIterable<Buffer> {
  const ended = lineEnder();
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const simIds = ids.slice(from, from + rowsAtOnce);
    for await (const piece of copyLines(client, { columns, simIds })) yield ended(piece);
    told(from + simIds.length);
  }
}

async function* withHeading(
  headings: readonly string[],
  { client, columns, ids, told }: Reading,
): AsyncIterable<readonly Cell[]> {
  yield headings;
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const simIds = ids.slice(from, from + rowsAtOnce);
    yield* await readRows(client, { columns, simIds });
    told(from + simIds.length);
  }
}
