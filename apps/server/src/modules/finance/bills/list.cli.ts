import { type BillState, billMonthSchema, billStates } from '@simcube/contract/finance';
import { type Command, Option } from 'commander';
import type pg from 'pg';
import { argumentParser, jsonOption, using } from '../../../platform/cli/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { formatAmount } from '../bill.rules.ts';
import { type InstallationBill, listInstallationBills } from './installation-bills.views.ts';

const maxListed = 1000;

interface ListOptions {
  organisation?: string;
  month?: string;
  state?: BillState[];
  json: boolean;
}

/** `simcube bills list`: existing bills, and which of them are unpaid. */
export const listCommand = ({
  bills,
  open,
}: {
  bills: Command;
  open: () => Promise<{ pool: pg.Pool; clock: Clock; close: () => Promise<void> }>;
}): void => {
  bills
    .command('list')
    .description(`List drafts and bills in force with the amounts paid, latest first, at most ${maxListed}`)
    .option('--organisation <code>', 'one settlement customer (default: all)')
    .option('--month <month>', 'YYYY-MM (default: all)', argumentParser(billMonthSchema))
    .addOption(new Option('--state <state...>', 'expired: published and past due').choices([...billStates]))
    .option(...jsonOption)
    .action(({ organisation, month, state, json }: ListOptions) =>
      using(open, async ({ pool, clock }) => {
        const result = await listInstallationBills(
          pool,
          { organisation, month, states: state },
          { now: clock.now(), limit: maxListed },
        );
        if (json) return void console.info(JSON.stringify(result));
        for (const bill of result)
          console.info(
            [bill.number, bill.organisation, bill.state, paidText(bill), bill.due_on ?? '-'].join('\t'),
          );
      }),
    );
};

/** `10.00 of 34.95 EUR paid`; the rest of a paid bill's total was covered by its deposit. */
export const paidText = ({ state, paid_minor, total_minor, currency }: InstallationBill): string => {
  const format = (minor: number): string => formatAmount(minor, currency);
  const paid = `${format(paid_minor)} of ${format(total_minor)} ${currency} paid`;
  const covered = state === 'paid' ? Math.max(0, total_minor - paid_minor) : 0;
  return covered > 0 ? `${paid}, ${format(covered)} from the deposit` : paid;
};
