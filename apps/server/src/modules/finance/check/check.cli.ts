import type { Command } from 'commander';
import type pg from 'pg';
import { using } from '../../../platform/cli/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { BillRefused } from '../publication/publication.service.ts';
import { type BillCheck, checkBill } from './check.service.ts';
import { listBillNumbers } from './check.views.ts';

interface CheckCommand {
  bills: Command;
  open: () => Promise<{ pool: pg.Pool; clock: Clock; close: () => Promise<void> }>;
}

/** `simcube bills check`: whether bills agree with their records. */
export const checkCommand = ({ bills, open }: CheckCommand): void => {
  bills
    .command('check [bill]')
    .description('Recompute a bill from the records; exit with 1 if it differs')
    .option('--all', 'check every bill in force instead of one', false)
    .option('--json', 'machine-readable output: one line per bill', false)
    .action((onlyNumber: string | undefined, { all, json }: { all: boolean; json: boolean }) =>
      using(open, async ({ pool, clock }) => {
        if ((onlyNumber === undefined) !== all) throw new BillRefused('Name a bill, or use --all');
        const differing: string[] = [];
        for (const number of onlyNumber === undefined ? await listBillNumbers(pool) : [onlyNumber]) {
          const check = await checkBill(pool, number, { now: clock.now() });
          if (!check) throw new BillRefused(`There is no bill ${number}`);
          for (const line of json ? [jsonOf(number, check)] : linesOf(number, check)) console.info(line);
          if (check.mismatches.length > 0) differing.push(number);
        }
        if (differing.length > 0)
          throw new BillRefused(`Bills that differ from the records: ${differing.join(', ')}`);
      }),
    );
};

const linesOf = (number: string, { mismatches, late, isRetained }: BillCheck): string[] => [
  ...mismatches.map(({ what, billed, computed }) => `${what}: billed ${billed}, computed ${computed}`),
  `${number}: ${isRetained ? 'recomputed' : 'only its sums compared, because its records are no longer retained'}, ` +
    `${mismatches.length === 0 ? 'the same amounts' : 'different amounts'}; ${late} cycles have records that arrived since`,
];

const jsonOf = (bill: string, { mismatches, late, isRetained }: BillCheck): string =>
  JSON.stringify({ bill, late, records_retained: isRetained, mismatches });
