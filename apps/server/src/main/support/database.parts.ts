import { countWaiting } from '../../modules/notify/index.ts';
import { countQueue } from '../../modules/sms/index.ts';
import { countTasks } from '../../modules/task/index.ts';
import { listAppliedMigrations } from '../../platform/db/index.ts';
import { listDeadLetters, statusOfQueue } from '../../platform/jobs/index.ts';
import { listDeadLetteredFacts, statusOfConsumers } from '../../platform/outbox/index.ts';
import { readDatabaseState } from '../database/database.views.ts';
import type { Part } from './part.ts';
import { errorCodeOf, withoutAddresses } from './scrub.rules.ts';
import { listDatabaseSettings, listTableSizes, readServerState } from './support.views.ts';

const lettersMost = 1_000;

const migrations: Part = {
  name: 'migrations.json',
  holds: 'names of the migrations that are applied',
  needsDatabase: true,
  read: ({ pool }) => listAppliedMigrations(pool),
};

const tables: Part = {
  name: 'tables.json',
  holds:
    'tables and partitions of the server that is asked: bytes, estimated rows, when they were analysed and vacuumed; no row of theirs',
  needsDatabase: true,
  read: ({ pool }) => listTableSizes(pool),
};

const cluster: Part = {
  name: 'cluster.json',
  holds: 'the servers of a Citus cluster, and tables with their bytes on all of them and how they are spread',
  needsDatabase: true,
  read: async ({ pool }) => withoutAddresses(await readDatabaseState(pool)),
};

const postgres: Part = {
  name: 'postgresql.json',
  holds: 'settings of PostgreSQL that matter, extensions, size, and sessions by what they do; no statement',
  needsDatabase: true,
  read: async ({ pool }) => ({
    ...(await readServerState(pool)),
    settings: await listDatabaseSettings(pool),
  }),
};

const jobs: Part = {
  name: 'jobs.json',
  holds: 'jobs in the queue by name, and dead-lettered ones with the code of their error; no payload',
  needsDatabase: true,
  read: async ({ pool }) => ({
    queue: await statusOfQueue(pool),
    deadLettered: (await listDeadLetters(pool, { limit: lettersMost })).map(
      ({ name, attempts, times, error, queuedAt, deadLetteredAt }) => ({
        name,
        attempts,
        times,
        error: errorCodeOf(error),
        queuedAt,
        deadLetteredAt,
      }),
    ),
  }),
};

const outbox: Part = {
  name: 'outbox.json',
  holds:
    'consumers of facts, how far behind they are, and dead-lettered facts with the code of their error; no payload',
  needsDatabase: true,
  read: async ({ pool, consumers }) => ({
    consumers: (await statusOfConsumers(pool, consumers)).map(({ error, ...status }) => ({
      ...status,
      error: error && errorCodeOf(error),
    })),
    deadLettered: (await listDeadLetteredFacts(pool, { limit: lettersMost })).map(
      ({ consumer, topic, attempts, error, recordedAt, deadLetteredAt }) => ({
        consumer,
        topic,
        attempts,
        error: errorCodeOf(error),
        recordedAt,
        deadLetteredAt,
      }),
    ),
  }),
};

const work: Part = {
  name: 'work.json',
  holds: 'how many tasks, deliveries and messages wait or have ended, and since when',
  needsDatabase: true,
  read: async ({ pool }) => ({
    tasks: await countTasks(pool),
    waitingDeliveries: await countWaiting(pool),
    messageParts: await countQueue(pool),
  }),
};

export const databaseParts: readonly Part[] = [migrations, tables, cluster, postgres, jobs, outbox, work];
