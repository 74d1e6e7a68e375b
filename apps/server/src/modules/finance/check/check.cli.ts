import type { Command } from 'commander';
import type pg from 'pg';
import { using } from '../../../platform/cli/index.ts';
import { BillRefused } from '../publication/publication.service.ts';
import { type BillCheck, checkBill } from './check.service.ts';
import { listNumbers } from './check.views.ts';

interface CheckCommand {
  bills: Command;
  open: () => Promise<{ pool: pg.Pool; close: () => Promise<void> }>;
}

/** `simcube bills check`: whether bills agree with their records. */
export const checkCommand = ({ bills, open }: CheckCommand): void => {
  bills
    .command('check [bill]')
    .description('Compute a bill again from the records; fails where it is not the same')
    .option('--all', 'every bill that is in force, instead of one', false)
    .option('--json', 'machine-readable output: a line for each bill', false)
    .action((named: string | undefined, { all, json }: { all: boolean; json: boolean }) =>
      using(open, async ({ pool }) => {
        if ((named === undefined) !== all) throw new BillRefused('Name a bill, or give --all');
        const differing: string[] = [];
        for (const number of named === undefined ? await listNumbers(pool) : [named]) {
          const check = await checkBill(pool, number);
          if (!check) throw new BillRefused(`There is no bill ${number}`);
          for (const line of json ? [jsonOf(number, check)] : linesOf(number, check)) console.info(line);
          if (check.mismatches.length > 0) differing.push(number);
        }
        if (differing.length > 0) throw new BillRefused(`Not what the records say: ${differing.join(', ')}`);
      }),
    );
};

const linesOf = (number: string, { mismatches, late }: BillCheck): string[] => [
  ...mismatches.map(({ what, billed, computed }) => `${what}: billed ${billed}, computed ${computed}`),
  `${number}: computed again, ${mismatches.length === 0 ? 'the same cents' : 'not the same'}; ` +
    `${late} cycles have records that came since`,
];

const jsonOf = (bill: string, { mismatches, late }: BillCheck): string =>
  JSON.stringify({
    bill,
    late,
    mismatches: mismatches.map(({ what, billed, computed }) => ({
      ...{ what, billed: String(billed), computed: String(computed) },
    })),
  });
