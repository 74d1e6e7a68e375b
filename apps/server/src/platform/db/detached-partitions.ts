import { createWriteStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { runCommitGuard } from './commit-guard.ts';
import { type DailyTable, listPartitionsBefore, type PartitionedTable } from './partitions.ts';
import type { Sql } from './pool.ts';

/*
 * A partition that is past its retention and must be archived first is detached from its table under this
 * prefix. Readers and writers no longer see it: no record can be added, nothing waits while its file is
 * written, and an interrupted one is found by its name.
 */

const prefix = 'leaving_';
/**
 * The partition's name and the day on which it was detached; a month that is created again by a late import is
 * detached again.
 */
const detachedName = /^leaving_(\w+)_(\d{4})(\d{2})(\d{2})$/;

/**
 * Detaches the partitions of `table` that end before `before`.
 * @returns their former names
 */
export const detachPartitionsBefore = async (
  tx: Sql,
  table: PartitionedTable | DailyTable,
  { before, on }: { before: Date; on: Date },
): Promise<string[]> => {
  const names = await listPartitionsBefore(tx, table, before);
  const day = on.toISOString().slice(0, 10).replaceAll('-', '');
  const notArchived = new Set(await listDetachedPartitions(tx));
  const detached: string[] = [];
  for (const name of names) {
    const detachedTable = `${prefix}${name}_${day}`;
    // It was created again on the day it was detached, so it waits until tomorrow.
    if (notArchived.has(detachedTable)) continue;
    await tx.query(`alter table ${table} detach partition ${name}`);
    await tx.query(`alter table ${name} rename to ${detachedTable}`);
    detached.push(name);
  }
  return detached;
};

/** Tables that are still to be archived. */
export const listDetachedPartitions = async (sql: Sql): Promise<string[]> => {
  const { rows } = await sql.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like $1
     order by relname limit 10000`,
    [`${prefix.replace('_', '\\_')}%`],
  );
  return rows.map(({ relname }) => relname).filter((name) => detachedName.test(name));
};

export interface ArchivedPartition {
  file: string;
  rows: number;
}

export interface ArchiveOptions {
  table: string;
  /** The query for the rows to write. */
  rowsOf: (tx: Sql, table: string) => Promise<string>;
  directory: string;
  signal: AbortSignal;
}

/**
 * Writes the table to a gzipped CSV file in the format of PostgreSQL's COPY, with a heading, and drops the
 * table once the file is on disk. After an interruption the file is written again under the same name.
 * @throws the file system's or database's error; the table then still exists
 */
export const archivePartition = async (
  pool: pg.Pool,
  options: ArchiveOptions,
): Promise<ArchivedPartition> => {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query('begin');
    const archived = await writeAndDrop(client, options);
    await runCommitGuard(client);
    await client.query('commit');
    isDone = true;
    return archived;
  } finally {
    // A connection that still has rows to send can't roll back: it is closed in whatever state it is.
    client.release(!isDone);
  }
};

const writeAndDrop = async (
  tx: pg.PoolClient,
  { table, rowsOf, directory, signal }: ArchiveOptions,
): Promise<ArchivedPartition> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await tx.query('set local statement_timeout = 0');
  await tx.query(`lock table ${table} in share row exclusive mode`);
  const file = join(directory, fileOf(table));
  const partialFile = `${file}.part`;
  const rows = tx.query(copyTo(`copy (${await rowsOf(tx, table)}) to stdout (format csv, header)`));
  await pipeline(rows, createGzip(), createWriteStream(partialFile, { mode: 0o600 }), { signal });
  await sync(partialFile);
  await rename(partialFile, file);
  await sync(directory);
  await tx.query(`drop table ${table}`);
  return { file, rows: rows.rowCount };
};

/** `cdrs_2025_10.left-2026-12-01.csv.gz` */
const fileOf = (table: string): string => {
  const [, name, year, month, day] = detachedName.exec(table) ?? [];
  if (name === undefined) throw new Error(`${table} is no partition that left`);
  return `${name}.left-${year}-${month}-${day}.csv.gz`;
};

/** Flushes a file to disk; for a directory, its entries. */
const sync = async (path: string): Promise<void> => {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
