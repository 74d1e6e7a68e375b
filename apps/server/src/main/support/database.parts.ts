import { countWaiting } from '../../modules/notify/index.ts';
import { countQueue } from '../../modules/sms/index.ts';
import { countTasks } from '../../modules/task/index.ts';
import { listAppliedMigrations } from '../../platform/db/index.ts';
import { listDeadLetters, readQueueStatus } from '../../platform/jobs/index.ts';
import { listDeadLetteredFacts, readConsumerStatus } from '../../platform/outbox/index.ts';
import { readDatabaseState } from '../database/database.views.ts';
import type { Part } from './part.ts';
import { errorCodeOf, withoutAddresses } from './scrub.rules.ts';
import { listDatabaseSettings, listTableSizes, readServerState } from './support.views.ts';

const maxLetters = 1_000;

const migrations: Part = {
  name: 'migrations.json',
  holds: 'names of the applied migrations',
  needsDatabase: true,
  read: ({ pool }) => listAppliedMigrations(pool),
};

const tables: Part = {
  name: 'tables.json',
  holds:
    'tables and partitions of the queried server: bytes, estimated rows, times of the last analyse and vacuum; none of their rows',
  needsDatabase: true,
  read: ({ pool }) => listTableSizes(pool),
};

const cluster: Part = {
  name: 'cluster.json',
  holds: 'servers of a Citus cluster, and its tables: total bytes, and how they are distributed',
  needsDatabase: true,
  read: async ({ pool }) => withoutAddresses(await readDatabaseState(pool)),
};

const postgres: Part = {
  name: 'postgresql.json',
  holds: 'important settings of PostgreSQL, extensions, size, and sessions by state; no statements',
  needsDatabase: true,
  read: async ({ pool }) => ({
    ...(await readServerState(pool)),
    settings: await listDatabaseSettings(pool),
  }),
};

const jobs: Part = {
  name: 'jobs.json',
  holds: 'queued jobs by name, and dead-lettered jobs with their error codes; no payloads',
  needsDatabase: true,
  read: async ({ pool }) => ({
    queue: await readQueueStatus(pool),
    deadLettered: (await listDeadLetters(pool, { limit: maxLetters })).map(
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
    'consumers of facts, how far behind they are, and dead-lettered facts with their error codes; no payloads',
  needsDatabase: true,
  read: async ({ pool, consumers }) => ({
    consumers: (await readConsumerStatus(pool, consumers)).map(({ error, ...status }) => ({
      ...status,
      error: error && errorCodeOf(error),
    })),
    deadLettered: (await listDeadLetteredFacts(pool, { limit: maxLetters })).map(
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
  holds: 'numbers of waiting and finished tasks, deliveries and messages, and since when',
  needsDatabase: true,
  read: async ({ pool }) => ({
    tasks: await countTasks(pool),
    waitingDeliveries: await countWaiting(pool),
    messageParts: await countQueue(pool),
  }),
};

export const databaseParts: readonly Part[] = [migrations, tables, cluster, postgres, jobs, outbox, work];
