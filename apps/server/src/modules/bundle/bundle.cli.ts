import { readFile } from 'node:fs/promises';
import { bundleCatalogueSchema } from '@simcube/contract/bundle';
import type { Command } from 'commander';
import { z } from 'zod';
import { inTransaction } from '../../platform/db/index.ts';
import { operatorActor } from '../audit/index.ts';
import { importBundles } from './bundle.service.ts';
import { listBundles } from './bundle.views.ts';
import { type OrderingContext, orderingCommand } from './lifecycle/ordering.cli.ts';

export interface BundlesContext extends OrderingContext {}

const listedAtMost = 1000;

/** `simcube bundles …`: the operator's catalogue. */
export const bundleCommands = (program: Command, open: () => Promise<BundlesContext>): void => {
  const bundles = program.command('bundles').description('Bundle catalogue');

  bundles
    .command('import <file>')
    .description('Make the bundles of a JSON file, all or none; those that are there just so stay')
    .option('--json', 'machine-readable output', false)
    .action(async (file: string, { json }: { json: boolean }) => {
      const specs = parseCatalogue(await readFile(file, 'utf8'));
      const context = await open();
      try {
        const made = await inTransaction(context.pool, (tx) =>
          importBundles(tx, { specs, actor: operatorActor(), at: context.clock.now() }),
        );
        const report = { made, unchanged: specs.length - made };
        console.info(json ? JSON.stringify(report) : `${made} made, ${report.unchanged} there already`);
      } finally {
        await context.close();
      }
    });

  orderingCommand(bundles, open);

  bundles
    .command('list')
    .description(`Bundles by code, ${listedAtMost} at most`)
    .option('--json', 'machine-readable output', false)
    .action(async ({ json }: { json: boolean }) => {
      const context = await open();
      try {
        const lines = await listBundles(context.pool, { limit: listedAtMost });
        if (json) return void console.info(JSON.stringify(lines));
        for (const { code, name, type, quota_bytes, reset_cycle, in_use } of lines) {
          console.info(
            [code, name, type, quota_bytes ?? 'no limit', reset_cycle, `${in_use} in use`].join('\t'),
          );
        }
      } finally {
        await context.close();
      }
    });
};

const parseCatalogue = (text: string) => {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`The file is not JSON: ${(error as Error).message}`);
  }
  const parsed = bundleCatalogueSchema.safeParse(content);
  if (!parsed.success) throw new Error(`The file is no catalogue:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
};
