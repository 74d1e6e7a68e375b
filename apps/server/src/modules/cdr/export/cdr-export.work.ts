import { limits } from '@simcube/contract';
import type { CdrGroup } from '@simcube/contract/cdr';
import { phrase } from '@simcube/phrases';
import type { Db } from '../../../platform/db/index.ts';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { defineFileWork, type FileWork } from '../../task/index.ts';
import { type ExportQuestion, readRecords, readSummed } from './cdr-export.views.ts';
import { type CdrExport, cdrExportSchema, cellsOf, columnsOf, headingOf } from './cdr-export-cells.ts';

/** Records or sums as a file. */
export const cdrExportWork = ({ db }: { db: Db }): FileWork =>
  defineFileWork({
    type: 'cdr-export',
    parameters: cdrExportSchema,
    fileName: ({ format, what }, now) =>
      `cdrs${fileNames[what.rows]}-${now.toISOString().slice(0, 10)}.${format}`,
    produce: ({ parameters, order, now, rows }) => {
      const question = { orgId: order.orgId, what: parameters.what, now };
      const isSummed = parameters.what.rows === 'sim' || parameters.what.rows === 'day_operator';
      const table = isSummed
        ? summedRows(db, { question, parameters, told: rows })
        : recordRows(db, { question, parameters, told: rows });
      return writeTable(parameters.format, table);
    },
  });

const fileNames = { chosen: '', record: '', sim: '-by-sim', day_operator: '-by-day-and-operator' } as const;

interface Making {
  question: ExportQuestion;
  parameters: CdrExport;
  told: (rows: number) => void;
}

async function* recordRows(db: Db, { question, parameters, told }: Making): AsyncIterable<readonly Cell[]> {
  const columns = columnsOf(parameters.columns);
  yield columns.map((column) => headingOf(column, parameters));
  const cells = cellsOf(columns, parameters);
  let count = 0;
  for await (const records of readRecords(db, question)) {
    for (const record of records.slice(0, limits.exportRows - count)) yield cells(record);
    count += records.length;
    told(Math.min(count, limits.exportRows));
    if (count >= limits.exportRows) return;
  }
}

async function* summedRows(db: Db, { question, parameters, told }: Making): AsyncIterable<readonly Cell[]> {
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
  const groups = await readSummed(db, { ...question, most: limits.exportRows });
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
  told(groups.length);
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

/** The key is a day and an operator. */
const operatorCells = ({ key, name, country }: CdrGroup): Cell[] => [
  key.slice(0, 10),
  key.slice(11),
  name,
  country,
];
