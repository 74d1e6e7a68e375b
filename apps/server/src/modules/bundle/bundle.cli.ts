import { readFile } from 'node:fs/promises';
import { bundleCatalogueSchema } from '@simcube/contract/bundle';
import type { Command } from 'commander';
import {
  type CliContext,
  issueSentences,
  jsonOption,
  printRows,
  readStrictJson,
  using,
} from '../../platform/cli/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { operatorActor } from '../audit/index.ts';
import { importBundles } from './bundle.service.ts';
import { listBundles } from './bundle.views.ts';
import { orderingCommand } from './lifecycle/ordering.cli.ts';

const maxListed = 1000;

/** `simcube bundles …`: the operator's catalogue. */
export const bundleCommands = (program: Command, open: () => Promise<CliContext>): void => {
  const bundles = program.command('bundles').description('Manage the bundle catalogue');

  bundles
    .command('import <file>')
    .description(
      'Import bundles from a JSON file, all or none; of existing bundles, only "orderable" may change',
    )
    .option(...jsonOption)
    .action(async (file: string, { json }: { json: boolean }) => {
      const specs = parseCatalogue(await readFile(file, 'utf8'));
      await using(open, async ({ pool, clock }) => {
        const { made, changed } = await inTransaction(pool, (tx) =>
          importBundles(tx, { specs, actor: operatorActor(), at: clock.now() }),
        );
        const report = { made, changed, unchanged: specs.length - made - changed };
        const words = `${made} created, ${changed} changed, ${report.unchanged} unchanged`;
        console.info(json ? JSON.stringify(report) : words);
      });
    });

  orderingCommand(bundles, open);

  bundles
    .command('list')
    .description(`List bundles by code, at most ${maxListed}`)
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const lines = await listBundles(pool, { limit: maxListed });
        printRows(lines, {
          json,
          line: ({ code, name, type, quota_bytes, reset_cycle, in_use }) => [
            code,
            name,
            type,
            quota_bytes ?? 'no limit',
            reset_cycle,
            `${in_use} in use`,
          ],
        });
      }),
    );
};

const parseCatalogue = (text: string) => {
  const parsed = bundleCatalogueSchema.safeParse(readStrictJson(text), { reportInput: true });
  if (!parsed.success)
    throw new Error(`The file is not a valid catalogue:\n${issueSentences(parsed.error).join('\n')}`);
  const codes = parsed.data.map(({ code }) => code);
  const duplicate = codes.find((code, index) => codes.indexOf(code) < index);
  if (duplicate !== undefined) throw new Error(`The file names bundle ${duplicate} twice`);
  return parsed.data;
};
