import { fileFormatSchema, languages, limits, simSelectionSchema } from '@simcube/contract';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { csvBeginning, csvLine } from '../../../platform/csv/index.ts';
import { type Db, reserve } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { scopedTo } from '../sim-scope.views.ts';
import {
  copyLines,
  exportColumns,
  knownTimeZone,
  prepareExport,
  readRows,
  selectForExport,
} from './export.views.ts';

const exportParametersSchema = z.object({
  selection: simSelectionSchema,
  format: fileFormatSchema,
  language: z.enum(languages),
  timeZone: z.string(),
});

const lineEnd = 0x0a;

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
      const connection = await reserve(pool);
      try {
        const { client } = connection;
        await prepareExport(client);
        const scope = scopedTo({ id: order.orgId });
        const total = await selectForExport(client, {
          db,
          scope,
          selection,
          limit: limits.exportRows,
          now: clock.now(),
        });
        if (format === 'csv') {
          // Lines end as COPY ends them: a reader takes the first end that it meets for that of all.
          yield Buffer.from(`${csvBeginning}${csvLine(headings).trimEnd()}\n`);
          let lines = 0;
          for await (const piece of copyLines(client, columns)) {
            lines += linesIn(piece);
            // Notes may have lines of their own.
            told(Math.min(lines, total));
            yield piece;
          }
        } else {
          yield* writeTable(format, withHeading(headings, readRows(client, columns), told));
        }
        told(total);
        await connection.end();
      } finally {
        connection.release();
      }
    },
  });

const linesIn = (piece: Buffer): number => {
  let lines = 0;
  for (let at = piece.indexOf(lineEnd); at >= 0; at = piece.indexOf(lineEnd, at + 1)) lines += 1;
  return lines;
};

async function* withHeading(
  headings: readonly string[],
  rows: AsyncIterable<readonly Cell[]>,
  told: (rows: number) => void,
): AsyncIterable<readonly Cell[]> {
  yield headings;
  let count = 0;
  for await (const row of rows) {
    yield row;
    count += 1;
    told(count);
  }
}
