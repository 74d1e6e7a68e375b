import type { BillLineKind, BillUnit } from '@simcube/contract/finance';
import { phrase } from '@simcube/phrases';
import { billNumber, formatAmount, kindText } from '../../finance/index.ts';
import { addToSum, largestBars, type OwnFigure } from '../report.rules.ts';
import { type Source, series } from './source.ts';

interface Row {
  month: string;
  serial: number;
  kind: BillLineKind;
  /** For a correction: the month that it corrects. */
  corrects: string | null;
  name: string | null;
  quantity: number;
  unit: BillUnit;
  amount_minor: number;
  currency: string;
}

/** The lines of the month's bills whose settlement customer is the organisation. */
export const cost: Source<Row> = {
  columns: [
    ['bill', 'identifier'],
    ['charge', 'text'],
    ['name', 'text'],
    ['quantity', 'count'],
    ['unit', 'text'],
    ['amount', 'text'],
    ['currency', 'text'],
  ],
  rows: ({ orgId, month }) => ({
    text: `select to_char(b.month_on, 'YYYY-MM') as month, b.serial,
         l.kind, to_char(l.corrects_on, 'YYYY-MM') as corrects, coalesce(l.bundle_name, l.zone_name, l.pool_name) as name, l.quantity, l.unit, l.amount_minor, b.currency
       from bills b join bill_lines l on l.bill_id = b.id
       where b.org_id = $1 and b.month_on = $2 and b.status in ('published', 'paid') order by b.serial, l.line`,
    values: [orgId, `${month}-01`],
  }),
  cells: ({ month, serial, kind, corrects, name, quantity, unit, amount_minor, currency }, { language }) => [
    ...[
      billNumber({ month, serial }),
      corrects === null
        ? kindText(language, kind)
        : phrase(language, 'finance.corrects', { name: kindText(language, kind), month: corrects }),
      name,
      quantity,
      phrase(language, `files.bills.units.${unit}`),
    ],
    { decimal: formatAmount(amount_minor, currency) },
    currency,
  ],
  tally: ({ language }) => {
    const amounts = new Map<string, Map<string, number>>();
    let lines = 0;
    const total = (sums: ReadonlyMap<string, number>) =>
      [...sums.values()].reduce((sum, one) => sum + one, 0);
    return {
      add: ({ kind, amount_minor, currency }) => {
        lines += 1;
        const sums = amounts.get(currency) ?? new Map<string, number>();
        addToSum(sums, kindText(language, kind), amount_minor);
        amounts.set(currency, sums);
      },
      figures: () => [
        { figure: 'lines', unit: 'count', currency: null, value: lines },
        ...[...amounts].map(
          ([currency, sums]): OwnFigure => ({
            figure: 'amount',
            unit: 'minor',
            currency,
            value: total(sums),
          }),
        ),
      ],
      // Amounts of several currencies can't be drawn in one chart: only those of the first bill are.
      series: () => {
        const [currency, sums] = [...amounts][0] ?? [null, new Map<string, number>()];
        return series('minor', largestBars(sums, phrase(language, 'report.bars.others')), currency);
      },
    };
  },
};
