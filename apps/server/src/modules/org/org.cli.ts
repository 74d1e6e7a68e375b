import type { Command } from 'commander';
import type pg from 'pg';
import { inTransaction } from '../../platform/db/index.ts';
import { createOrg } from './org.service.ts';
import { listOrganisations } from './org.views.ts';

export interface OrgsContext {
  pool: pg.Pool;
  close: () => Promise<void>;
}

const listedAtMost = 1000;

/** `simcube orgs …`: the operator's organisations. */
export const orgCommands = (program: Command, open: () => Promise<OrgsContext>): void => {
  const orgs = program.command('orgs').description('Organisations');

  orgs
    .command('list')
    .description(`Organisations by code, ${listedAtMost} at most`)
    .option('--search <text>', 'part of the code or name', '')
    .option('--json', 'machine-readable output', false)
    .action(async ({ search, json }: { search: string; json: boolean }) => {
      const context = await open();
      try {
        const lines = await listOrganisations(context.pool, { search, limit: listedAtMost });
        if (json) return void console.info(JSON.stringify(lines));
        for (const line of lines) {
          console.info(`${line.code}\t${line.name}\t${line.country}\t${line.parent ?? '-'}\t${line.members}`);
        }
      } finally {
        await context.close();
      }
    });

  orgs
    .command('create <code>')
    .description('Make an organisation; without --parent it is an operator, who stands above customers')
    .requiredOption('--name <name>', 'legally registered full name, 5-40 characters')
    .requiredOption('--country <code>', 'two letters, such as DE')
    .option('--parent <code>', 'the organisation above')
    .option('--json', 'machine-readable output', false)
    .action(
      async (code: string, wanted: { name: string; country: string; parent?: string; json: boolean }) => {
        const context = await open();
        try {
          const { createOrganisation } = createOrg(context);
          const made = await inTransaction(context.pool, (tx) =>
            createOrganisation(tx, {
              code,
              name: wanted.name,
              country: wanted.country.toUpperCase(),
              parentCode: wanted.parent,
            }),
          );
          console.info(wanted.json ? JSON.stringify(made) : `Made ${made.code} (tenant id ${made.tenantId})`);
        } finally {
          await context.close();
        }
      },
    );
};
