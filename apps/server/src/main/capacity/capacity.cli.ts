import type { Command } from 'commander';
import { z } from 'zod';
import { argumentParser, jsonOption, wholeNumber } from '../../platform/cli/index.ts';
import { type Capacity, type CapacityInput, capacityOf, planning } from './capacity.rules.ts';

const terabyte = 1e12;

/** A number in digits, with or without decimals. */
const decimalNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d+(\.\d+)?$/.test(text), `must be a number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** Valid ranges of the options; a value outside is a typing error, not an installation. */
const optionSchemas = {
  sims: wholeNumber(1, 10_000_000_000),
  interim: wholeNumber(10, 86_400),
  sessionsPerDay: decimalNumber(0.03, 1_440),
  years: decimalNumber(1, 50),
  nodeTerabytes: decimalNumber(0.1, 1_000),
  nodeCores: wholeNumber(1, 1_024),
};

interface CapacityOptions {
  sims: number;
  interim: number;
  sessionsPerDay: number;
  years: number;
  nodeTerabytes: number;
  nodeCores: number;
  json: boolean;
}

/** `simcube capacity`: pure arithmetic, without a database. */
export const capacityCommand = (program: Command): void => {
  program
    .command('capacity')
    .description(
      'Estimate disk, processors, memory and nodes for a number of SIMs, from measured costs (docs/scale.md)',
    )
    .requiredOption('--sims <n>', 'number of SIMs that report usage', argumentParser(optionSchemas.sims))
    .requiredOption(
      '--interim <seconds>',
      'interval between two reports of a session',
      argumentParser(optionSchemas.interim),
    )
    .option(
      '--sessions-per-day <n>',
      'sessions per SIM and day',
      argumentParser(optionSchemas.sessionsPerDay),
      1,
    )
    .option(
      '--years <n>',
      'planning period, for tables whose rows are never dropped',
      argumentParser(optionSchemas.years),
      3,
    )
    .option(
      '--node-terabytes <n>',
      'disk of a database node, in TB',
      argumentParser(optionSchemas.nodeTerabytes),
      10,
    )
    .option(
      '--node-cores <n>',
      'processor cores of a database node',
      argumentParser(optionSchemas.nodeCores),
      16,
    )
    .option(...jsonOption)
    .action(({ interim, nodeTerabytes, json, ...estimateOptions }: CapacityOptions) => {
      const input = { ...estimateOptions, interimSeconds: interim, nodeBytes: nodeTerabytes * terabyte };
      const capacity = capacityOf(input);
      console.info(json ? JSON.stringify(capacity) : renderCapacity(input, capacity));
    });
};

const renderCapacity = (input: CapacityInput, capacity: Capacity): string => {
  const { recordsPerSecond, cores, nodes, memory } = capacity;
  const { start, interim, stop } = capacity.recordsPerDayOfSim;
  const rows = [
    ['table', 'bytes', 'per', 'kept', 'a day', 'in all'],
    ...capacity.tables.map(({ table, per, bytesEach, months, bytesPerDay, bytes }) => [
      ...[table, String(bytesEach), per, retentionOf({ per, months }, input)],
      ...[bytesPerDay === 0 ? '' : formatBytes(bytesPerDay), formatBytes(bytes)],
    ]),
    ['all', '', '', '', formatBytes(capacity.bytesPerDay), formatBytes(capacity.bytes)],
  ];
  return [
    `Records     ${formatNumber(start + interim + stop)} per SIM and day; ${formatNumber(recordsPerSecond.mean)} per second, ${formatNumber(recordsPerSecond.busiest)} in the busiest hour`,
    `Processors  ${formatNumber(cores.server)} for servers, ${formatNumber(cores.database)} for databases, with ${planning.usedCores * 100}% used in the busiest hour`,
    `Servers     ${capacity.aaaProcesses} with the role aaa, and at least one each for web and worker: ${formatBytes(memory.serverBytes)} of memory`,
    `Memory      ${formatBytes(memory.databaseBytes)} for databases: the SIMs, and the data of one day`,
    `Disk        ${formatBytes(capacity.bytes)}, growing by ${formatBytes(capacity.bytesPerDay)} per day until the first months are dropped`,
    `Nodes       ${nodes.count} (${nodes.byDisk} for disk at ${planning.usedDisk * 100}%, ${nodes.byCores} for processors), without replicas`,
    '',
    ...alignColumns(rows),
  ].join('\n');
};

const retentionOf = (
  { per, months }: { per: string; months: number | undefined },
  { years }: CapacityInput,
): string => {
  if (per === 'SIM') return 'always';
  return months === undefined ? `${years} years` : `${months} months`;
};

const alignColumns = (rows: readonly string[][]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
};

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** Decimal units, as disks are sold. */
const formatBytes = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${formatNumber(bytes / 1000 ** power)} ${units[power]}`;
};

const formatNumber = (value: number): string =>
  value.toLocaleString(
    'en-US',
    value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
  );
