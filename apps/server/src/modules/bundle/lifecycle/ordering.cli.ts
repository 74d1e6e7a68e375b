import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  argumentParser,
  type CliContext,
  jsonOption,
  using,
  wholeNumber,
} from '../../../platform/cli/index.ts';
import { inRepeatableTransaction } from '../../../platform/db/index.ts';
import { operatorActor } from '../../audit/index.ts';
import { iccidLines } from '../../sim/index.ts';
import { type OrderingReport, orderBundle } from './ordering.service.ts';

/** SIMs per transaction. */
const chunk = 1000;
const maxCount = 100;
const maxShownRefusals = 20;

interface Options {
  iccids: string;
  salesOrder?: string;
  count: number;
  json: boolean;
}

/** `simcube bundles order …`: orders for SIMs; an order renews an expired SIM. */
export const orderingCommand = (bundles: Command, open: () => Promise<CliContext>): void => {
  bundles
    .command('order <bundle>')
    .description(
      'Order a bundle for SIMs: expired SIMs are renewed, for others it starts now or after their earlier orders. With --sales-order, repeating the command orders nothing twice',
    )
    .requiredOption('--iccids <file>', 'file with one ICCID per line, or in the first column of a CSV')
    .option('--sales-order <id>', 'number of the sales order')
    .option(
      '--count <n>',
      'number of orders for each SIM, which run one after the other',
      argumentParser(wholeNumber(1, maxCount)),
      1,
    )
    .option(...jsonOption)
    .action(async (bundleCode: string, options: Options) => {
      const iccids = iccidLines(await readFile(options.iccids, 'utf8'));
      await using(open, async (context) => {
        const report: OrderingReport = { placed: 0, refused: [] };
        try {
          await orderInChunks(context, { ...options, bundleCode, iccids }, report);
        } finally {
          // Also of what was done before an error: without the number of a sales order, repeating it would order twice.
          print(report, options.json);
        }
        if (report.refused.length > 0) process.exitCode = 1;
      });
    });
};

const orderInChunks = async (
  { pool, clock }: CliContext,
  request: { bundleCode: string; count: number; iccids: readonly string[]; salesOrder?: string },
  report: OrderingReport,
): Promise<void> => {
  const { bundleCode, count, iccids, salesOrder } = request;
  for (let from = 0; from < iccids.length; from += chunk) {
    const { placed, refused } = await inRepeatableTransaction(pool, (tx) =>
      orderBundle(tx, {
        iccids: iccids.slice(from, from + chunk),
        bundleCode,
        count,
        salesOrderId: salesOrder,
        now: clock.now(),
        by: { actor: operatorActor().name },
        actor: operatorActor(),
      }),
    );
    report.placed += placed;
    report.refused.push(...refused);
  }
};

const print = ({ placed, refused }: OrderingReport, json: boolean): void => {
  if (json) return void console.info(JSON.stringify({ placed, refused }));
  for (const { iccid, reason } of refused.slice(0, maxShownRefusals)) console.warn(`${iccid}: ${reason}`);
  if (refused.length > maxShownRefusals) console.warn(`… and ${refused.length - maxShownRefusals} more`);
  console.info(`${placed} placed, ${refused.length} SIMs refused`);
};
