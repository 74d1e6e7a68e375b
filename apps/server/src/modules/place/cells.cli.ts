import { open as openFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { type CliContext, jsonOption, using } from '../../platform/cli/index.ts';
import { operatorActor } from '../audit/index.ts';
import { cellColumns } from './cells.rules.ts';
import { importCells } from './cells.service.ts';

const maxRefusalsReported = 20;

/** `simcube cells …`: the coordinates of the networks' cells, for maps. */
export const cellCommands = (program: Command, open: () => Promise<CliContext>): void => {
  program
    .command('cells')
    .description('Manage the locations of radio cells')
    .command('import <file>')
    .description(`Import a CSV file; importing it again changes nothing. Columns: ${cellColumns.join(', ')}`)
    .option(...jsonOption)
    .action((path: string, { json }: { json: boolean }) =>
      using(open, async ({ pool, clock }) => {
        let shown = 0;
        const file = await openFile(path);
        const report = await importCells({
          pool,
          file: file.createReadStream(),
          by: { actor: operatorActor(), clock, name: basename(path) },
          onRefused: ({ line, reason }) => {
            shown += 1;
            if (!json && shown <= maxRefusalsReported) console.warn(`line ${line}: ${reason}`);
          },
        }).finally(() => file.close());
        const { changed, unchanged, refused } = report;
        if (!json && shown > maxRefusalsReported)
          console.warn(`… and ${shown - maxRefusalsReported} more refused lines`);
        console.info(
          json
            ? JSON.stringify(report)
            : `${changed} new or changed, ${unchanged} unchanged, ${refused} refused`,
        );
        if (refused > 0) process.exitCode = 1;
      }),
    );
};
