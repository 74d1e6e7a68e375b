import { type Language, limits } from '@simcube/contract';
import type { BillLine, BillLineKind } from '@simcube/contract/finance';
import type { FileFormat } from '@simcube/contract/task';
import { phrase } from '@simcube/phrases';
import type pg from 'pg';
import { openSnapshot, type Sql } from '../../../platform/db/index.ts';
import { type Cell, localTimeFormatter, tableFile } from '../../../platform/files/index.ts';
import type { FileResponse } from '../../../platform/http/index.ts';
import { requireRows } from '../../task/index.ts';
import { formatAmount, formatMicros, versionNumber } from '../bill.rules.ts';
import type { OwnBill } from './bills.views.ts';
import { countCharges, listCharges } from './charge-rows.views.ts';
import { listLines } from './lines.views.ts';

interface BillFileRequest {
  bill: OwnBill;
  format: FileFormat;
  content: 'lines' | 'sims';
  language: Language;
  timeZone: string;
}

type FileLine = Omit<BillLine, 'before_minor'>;

const batchSize = 5000;

/**
 * The lines of a bill, or the cycles of SIMs that they consist of, read row by row from one snapshot.
 * @throws Failure CB-09-0010, CB-09-0011: more than a workbook can contain
 */
export const billFile = async (pool: pg.Pool, request: BillFileRequest): Promise<FileResponse> => {
  const { bill, format, content, language, timeZone } = request;
  const isLines = content === 'lines';
  const lines = isLines ? await linesOf(pool, bill) : [];
  requireRows(isLines ? lines.length : await countCharges(pool, bill.id), limits.bills.fileRows);
  const column = (name: 'iccid' | 'cycle_started') => phrase(language, `files.columns.${name}`);
  const number = versionNumber(bill);
  const name = isLines ? number : `${number}-sims`;
  const heading = [...columns.slice(0, -3).map((one) => phrase(language, `files.bills.columns.${one}`))];
  const last = columns.slice(-3).map((one) => phrase(language, `files.bills.columns.${one}`));
  const money = [...last.slice(0, -1), `${last.at(-1)} (${bill.currency})`];
  const cellsOf = cellsIn(language);
  return tableFile({
    name,
    format,
    heading: isLines
      ? [...heading, ...money]
      : [...heading, column('iccid'), `${column('cycle_started')} (${timeZone})`, ...money],
    rows: isLines
      ? lines.map((line) => [...cellsOf(line), ...amountsOf(line, bill.currency)])
      : simRows(pool, { bill, cellsOf, local: localTimeFormatter(timeZone) }),
  });
};

const linesOf = (sql: Sql, bill: OwnBill): Promise<FileLine[]> =>
  listLines(sql, { billId: bill.id, limit: limits.bills.fileRows + 1 });

const columns = [
  ...(['line', 'organisation', 'charge', 'corrects', 'name', 'tariff', 'unit'] as const),
  ...(['quantity', 'price', 'amount'] as const),
] as const;

const cellsIn =
  (language: Language) =>
  (line: FileLine): Cell[] => [
    line.line,
    line.organisation.name,
    kindText(language, line.kind),
    line.corrects,
    (line.bundle ?? line.zone ?? line.pool)?.name ?? null,
    `${line.tariff.name} ${line.tariff.starts_on}`,
    phrase(language, `files.bills.units.${line.unit}`),
  ];

export const kindText = (language: Language, kind: BillLineKind): string =>
  kind === 'sms-mt' || kind === 'sms-mo'
    ? phrase(language, `files.bills.kinds.${kind}`)
    : phrase(language, `price.kinds.${kind}`);

const amountsOf = (line: FileLine, currency: string): Cell[] => [
  line.quantity,
  { decimal: formatMicros(line.price_micros) },
  { decimal: formatAmount(line.amount_minor, currency) },
];

/** Exact amounts of cycles: only the line is rounded. */
async function* simRows(
  pool: pg.Pool,
  context: {
    bill: OwnBill;
    cellsOf: (line: FileLine) => Cell[];
    local: (at: Date) => string | null;
  },
): AsyncGenerator<readonly Cell[]> {
  const snapshot = await openSnapshot(pool);
  try {
    const billLines = await linesOf(snapshot.client, context.bill);
    const lines = new Map(billLines.map((line) => [line.line, line]));
    for await (const charge of chargesOf(snapshot.client, context.bill.id)) {
      const line = lines.get(charge.line);
      if (!line) continue;
      const price = line.price_micros;
      yield [
        ...context.cellsOf(line),
        charge.iccid,
        context.local(charge.cycle_started_at),
        charge.quantity,
        { decimal: formatMicros(price) },
        { decimal: formatMicros(charge.quantity * price) },
      ];
    }
    await snapshot.end();
  } finally {
    snapshot.release();
  }
}

async function* chargesOf(sql: Sql, billId: number) {
  for (let after = { line: 0, sim_id: 0, cycle_started_at: new Date(0) }; ; ) {
    const charges = await listCharges(sql, { billId, after, limit: batchSize });
    yield* charges;
    const last = charges.at(-1);
    if (!last || charges.length < batchSize) return;
    after = last;
  }
}
