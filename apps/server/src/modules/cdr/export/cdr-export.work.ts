import { pipeline } from 'node:stream';
import { limits } from '@simcube/contract';
import type { CdrColumn, CdrGroup } from '@simcube/contract/cdr';
import { phrase } from '@simcube/phrases';
import { parse } from 'csv-parse';
import type pg from 'pg';
import { csvByteOrderMark, csvLine, lineEndConverter } from '../../../platform/csv/index.ts';
import { type Db, openSnapshot } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { supportedTimeZone } from '../../sim/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { copyRecords, type ExportQuery, readSummed } from './cdr-export.views.ts';
import { type CdrExport, cdrExportSchema, columnsOf, headingOf, isNumber } from './cdr-export-cells.ts';

/** Exports records or sums as a file: records directly from the database's COPY, or row by row into workbooks. */
export const cdrExportWork = ({ pool, db }: { pool: pg.Pool; db: Db }): FileWork =>
  defineFileWork({
    type: 'cdr-export',
    access: { key: 'cdr', action: 'read' },
    parameters: cdrExportSchema,
    fileName: ({ format, what }, now) =>
      `cdrs${fileNames[what.rows]}-${now.toISOString().slice(0, 10)}.${format}`,
    produce: async function* ({ parameters, order, now, reportRows }) {
      const timeZone = await supportedTimeZone(pool, parameters.timeZone);
      const query = { orgId: order.orgId, what: parameters.what, now };
      const run = { query, parameters: { ...parameters, timeZone }, reportRows };
      const isSummed = parameters.what.rows === 'sim' || parameters.what.rows === 'day_operator';
      if (isSummed) {
        yield* writeTable(parameters.format, summedRows(db, run));
        return;
      }
      const snapshot = await openSnapshot(pool);
      try {
        yield* recordFile(snapshot.client, db, run);
        await snapshot.end();
      } finally {
        snapshot.release();
      }
    },
  });

const fileNames = { chosen: '', record: '', sim: '-by-sim', day_operator: '-by-day-and-operator' } as const;

interface ExportRun {
  query: ExportQuery;
  parameters: CdrExport;
  reportRows: (rows: number) => void;
}

async function* recordFile(
  client: pg.PoolClient,
  db: Db,
  { query, parameters, reportRows }: ExportRun,
): AsyncIterable<Buffer> {
  const { format, language, timeZone } = parameters;
  const columns = columnsOf(parameters.columns);
  const headings = columns.map((column) => headingOf(column, { language, timeZone }));
  const form = { orgId: query.orgId, language, timeZone, neutral: format === 'csv' };
  const lines = await copyRecords(client, db, { ...query, columns, form });
  if (format === 'csv') {
    yield Buffer.from(`${csvByteOrderMark}${csvLine(headings)}`);
    const endLine = lineEndConverter();
    for await (const piece of lines) yield endLine(piece);
  } else {
    yield* writeTable(format, cellsOf({ headings, columns, lines }));
  }
  reportRows(lines.rowCount);
}

async function* cellsOf({
  headings,
  columns,
  lines,
}: {
  headings: readonly string[];
  columns: readonly CdrColumn[];
  lines: AsyncIterable<Buffer>;
}): AsyncIterable<readonly Cell[]> {
  yield headings;
  // `pipe` would not forward an error of the lines, and an unhandled one ends the process.
  const rows: AsyncIterable<string[]> = pipeline(lines, parse(), () => undefined);
  for await (const row of rows) {
    yield columns.map((column, index) => {
      const text = row[index] ?? '';
      if (text === '') return null;
      return isNumber(column) ? Number(text) : text;
    });
  }
}

async function* summedRows(
  db: Db,
  { query, parameters, reportRows }: ExportRun,
): AsyncIterable<readonly Cell[]> {
  const { language } = parameters;
  const word = (column: 'records' | 'up' | 'down' | 'total' | 'sims' | 'sessions') =>
    phrase(language, `files.columns.${column}`);
  const bySim = parameters.what.rows === 'sim';
  yield [
    ...(bySim ? simHeadings(parameters) : operatorHeadings(parameters)),
    word('records'),
    word('up'),
    word('down'),
    word('total'),
    ...(bySim ? [] : [word('sims')]),
    word('sessions'),
  ];
  const groups = await readSummed(db, { ...query, limit: limits.exportRows + 1 });
  for (const group of groups) {
    yield [
      ...(bySim ? [group.key, group.name] : operatorCells(group)),
      group.records,
      group.up_bytes,
      group.down_bytes,
      group.up_bytes + group.down_bytes,
      ...(bySim ? [] : [group.sims]),
      group.sessions,
    ];
  }
  reportRows(groups.length);
}

const simHeadings = ({ language }: CdrExport): string[] => [
  phrase(language, 'files.columns.iccid'),
  phrase(language, 'files.columns.device_name'),
];

const operatorHeadings = ({ language }: CdrExport): string[] => [
  `${phrase(language, 'files.columns.day')} (UTC)`,
  phrase(language, 'files.columns.plmn'),
  phrase(language, 'files.columns.operator'),
  phrase(language, 'files.columns.country_code'),
];

/** The key consists of a day and an operator. */
const operatorCells = ({ key, name, country }: CdrGroup): Cell[] => [
  key.slice(0, 10),
  key.slice(11),
  name,
  country,
];
