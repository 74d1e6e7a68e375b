import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { using } from '../../platform/cli/index.ts';
import type { OpenInstallation } from '../doctor/doctor.cli.ts';
import { makeBundle } from './support-bundle.service.ts';

/** `simcube support-bundle`: works where a server would not start, and changes nothing. */
export const supportBundleCommand = (program: Command, open: OpenInstallation): void => {
  program
    .command('support-bundle')
    .description(
      'Create one file for those who help with the installation, without secrets and personal data',
    )
    .option('--out <file>', 'archive to create; an existing file is not overwritten')
    .option(
      '--log <file>',
      'log of a server, whose last records are included: a file, or - for standard input',
    )
    .action(({ out, log }: { out?: string; log?: string }) =>
      using(open, async (installation) => {
        const { archive, missing } = await makeBundle({
          ...installation,
          log: log === '-' ? process.stdin : log,
        });
        const file = resolve(out ?? defaultName(installation.clock.now()));
        // Readable by its owner only.
        const written = createWriteStream(file, { flags: 'wx', mode: 0o600 });
        await pipeline(archive, written).catch(async (error: NodeJS.ErrnoException) => {
          // An incomplete archive is deleted; an existing file is left unchanged.
          if (error.code !== 'EEXIST') await rm(file, { force: true });
          throw error;
        });
        // A log that is still being written, such as that of `journalctl --follow`, does not keep the command running.
        if (log === '-') process.stdin.destroy();
        console.info(file);
        for (const { name, reason } of missing) console.info(`without ${name}: ${reason}`);
      }),
    );
};

const defaultName = (at: Date): string =>
  `simcube-support-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.zip`;
