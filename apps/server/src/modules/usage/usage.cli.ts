import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { type CliContext, jsonOption, requireRereadable, using } from '../../platform/cli/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { operatorActor } from '../audit/index.ts';
import { cdrColumns } from './cdr-file/cdr-columns.rules.ts';
import { type CdrSource, type ImportReport, importCdrs } from './cdr-file/import.service.ts';
import { type CdrTasks, importCdrsAsTask } from './cdr-file/import.task.ts';
import type { CountRecords, SessionCounts } from './cdr-file/records.ts';

export interface CdrsContext extends CliContext {
  task: CdrTasks;
  countForPools: CountRecords;
  sessions: SessionCounts;
  queueCounting: (tx: Sql) => Promise<void>;
}

const readOctets = 1024 * 1024;

/** A file as a source; it is read once for its hash, so that a renamed copy is recognised. */
export const fileSource = async (path: string): Promise<CdrSource> => {
  const { size } = await requireRereadable(path);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: readOctets }))
    hash.update(piece as Buffer);
  return {
    name: basename(path),
    size,
    hash: hash.digest(),
    open: (from) => createReadStream(path, { start: from, highWaterMark: readOctets }),
  };
};

/** `simcube cdrs import FILE`: imports usage records from a CSV file of any size. */
export const cdrCommands = (program: Command, open: () => Promise<CdrsContext>): void => {
  program
    .command('cdrs')
    .description('Manage usage records')
    .command('import <file>')
    .description(`Import a CSV file; an interrupted import is resumed. Columns: ${cdrColumns.join(', ')}`)
    .option('--for <email>', 'show the import to this person as a task, with its progress')
    .option(...jsonOption)
    .action((path: string, { json, for: email }: { json: boolean; for?: string }) =>
      using(open, async ({ pool, clock, task, countForPools, sessions, queueCounting }) => {
        const isTerminal = process.stderr.isTTY && !json;
        const importOptions = {
          pool,
          clock,
          countForPools,
          sessions,
          queueCounting,
          source: await fileSource(path),
          actor: operatorActor(),
          ...(isTerminal && { onProgress: showProgress }),
        };
        const report = await (email === undefined
          ? importCdrs(importOptions)
          : importCdrsAsTask(task, { ...importOptions, email }));
        if (isTerminal) process.stderr.write('\n');
        if (!json) for (const line of refusalsOf(report)) console.warn(line);
        console.info(json ? JSON.stringify(report) : textOf(report));
        if (report.refused > 0) process.exitCode = 1;
      }),
    );
};

const showProgress = ({ bytes, size }: { bytes: number; size: number }): void => {
  process.stderr.write(`\r${Math.floor((100 * bytes) / Math.max(1, size))} %`);
};

const textOf = (report: ImportReport): string =>
  [
    ...(report.known ? [`${report.file} has already been imported; nothing was changed.`] : []),
    `${report.file}: ${report.accepted} accepted, ${report.duplicate} duplicate, ${report.refused} refused`,
  ].join('\n');

const refusalsOf = ({ refusals, refused }: ImportReport): string[] => [
  ...refusals.map(({ line, reason }) => `line ${line}: ${reason}`),
  ...(refused > refusals.length ? [`… and ${refused - refusals.length} more refused lines`] : []),
];
