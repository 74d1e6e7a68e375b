import { languages, limits } from '@simcube/contract';
import { simSelectionSchema } from '@simcube/contract/sim';
import { fileFormatSchema } from '@simcube/contract/task';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { csvByteOrderMark, csvLine, lineEndConverter } from '../../../platform/csv/index.ts';
import { type Db, openSnapshot } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { amountOf, type FindCosts } from '../sim.views.ts';
import { scopedTo } from '../sim-scope.views.ts';
import {
  copyLines,
  type ExportedSim,
  exportColumns,
  knownTimeZone,
  readRows,
  rowsAtOnce,
  selectForExport,
} from './export.views.ts';

export interface ExportOptions {
  pool: pg.Pool;
  db: Db;
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
export const exportWork = ({ pool, db, clock, costsOf }: ExportOptions): FileWork =>
  defineFileWork({
    type: 'sim-export',
    access: { key: 'sim', action: 'read' },
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
        const question = { db, scope, selection, limit: limits.exportRows + 1, now: clock.now() };
        const sims = await selectForExport(client, question);
        const costs = (iccids: readonly string[]) =>
          costsOf({ orgId: order.orgId, iccids, snapshot: client });
        const reading = { client, columns, sims, told, costs };
        if (format === 'csv') {
          yield Buffer.from(`${csvByteOrderMark}${csvLine(headings)}`);
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
  sims: readonly ExportedSim[];
  costs: (iccids: readonly string[]) => ReturnType<FindCosts>;
  told: (rows: number) => void;
}

/** The SIMs in batches, with their costs. */
async function* piecesOf({ sims, told, costs }: Reading) {
  for (let from = 0; from < sims.length; from += rowsAtOnce) {
    const piece = sims.slice(from, from + rowsAtOnce);
    const found = await costs(piece.map(({ iccid }) => iccid));
    yield piece.map((sim) => ({ ...sim, cost: amountOf(found.get(sim.iccid)) }));
    told(from + piece.length);
  }
}

async function* linesOf(reading: Reading): AsyncIterable<Buffer> {
  const { client, columns } = reading;
  const ended = lineEndConverter();
  for await (const sims of piecesOf(reading))
    for await (const piece of copyLines(client, { columns, sims })) yield ended(piece);
}

async function* withHeading(headings: readonly string[], reading: Reading): AsyncIterable<readonly Cell[]> {
  yield headings;
  const { client, columns } = reading;
  for await (const sims of piecesOf(reading)) yield* await readRows(client, { columns, sims });
}
