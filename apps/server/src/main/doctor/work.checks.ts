import { hourMs } from '@simcube/contract/time';
import { countUnprocessed } from '../../modules/finance/index.ts';
import { countUnwritten, writtenHistories } from '../../modules/usage/index.ts';
import { readShards } from '../../platform/db/index.ts';
import { type RoleName, roleNames } from '../../platform/env/index.ts';
import { countDeadLetters } from '../../platform/jobs/index.ts';
import { readConsumerStatus } from '../../platform/outbox/index.ts';
import { type Check, fail, ok, skipped, warn } from './check.ts';
import { listRunningServers } from './doctor.views.ts';

const withoutRole: Record<RoleName, string> = {
  web: 'the console is unavailable',
  worker: 'nothing is disconnected, sent or billed, and tasks are not run',
  aaa: 'gateways receive no responses',
};

const servers: Check = {
  name: 'servers',
  needsDatabase: true,
  run: async ({ pool }) => {
    const running = await listRunningServers(pool);
    if (running.length === 0) return warn('No server is connected to the database', 'Start the servers');
    if (running.some(({ roles }) => roles.length === 0))
      return skipped('A server of an older version is running, which does not report its roles');
    const missing = roleNames.filter((role) => !running.some(({ roles }) => roles.includes(role)));
    return missing.length > 0
      ? fail(
          `No server has the role ${missing.map((role) => `${role}: ${withoutRole[role]}`).join('; nor ')}`,
          'Start one with that role in SIMCUBE_ROLES, and check the last lines of its log',
        )
      : ok(`All roles have a server; servers connected: ${running.length}`);
  },
};

const lateMs = { warn: 300_000, fail: hourMs };

const outbox: Check = {
  name: 'outbox',
  needsDatabase: true,
  run: async ({ pool, clock, consumers }) => {
    const all = await readConsumerStatus(pool, consumers);
    const now = clock.now().getTime();
    const late = all
      .filter(({ oldestAt }) => oldestAt !== null && now - oldestAt.getTime() >= lateMs.warn)
      .sort((a, b) => (a.oldestAt?.getTime() ?? 0) - (b.oldestAt?.getTime() ?? 0));
    const withDeadLetters = all
      .filter(({ deadLettered }) => deadLettered > 0)
      .map(({ consumer }) => consumer);
    const [oldest] = late;
    if (oldest?.oldestAt) {
      const minutes = Math.floor((now - oldest.oldestAt.getTime()) / 60_000);
      const said = `Facts have waited ${minutes} minutes for ${late.map(({ consumer }) => consumer).join(', ')}`;
      const mend = 'Is a server with the role worker running? simcube outbox status shows the last error';
      return minutes * 60_000 >= lateMs.fail ? fail(said, mend) : warn(said, mend);
    }
    return withDeadLetters.length > 0
      ? warn(
          `There are dead-lettered facts of ${withDeadLetters.join(', ')}`,
          'List them with simcube outbox list, then retry or drop them',
        )
      : ok(`${all.length} consumers of facts are up to date`);
  },
};

const jobs: Check = {
  name: 'jobs',
  needsDatabase: true,
  run: async ({ pool }) => {
    const count = await countDeadLetters(pool);
    return count > 0
      ? warn(
          `Jobs that have used up their attempts: ${count}`,
          'List them with simcube jobs list, then retry or drop them',
        )
      : ok('No job has used up its attempts');
  },
};

const cycles: Check = {
  name: 'cycles',
  needsDatabase: true,
  run: async ({ pool, clock }) => {
    const count = await countUnprocessed(pool, new Date(clock.now().getTime() - lateMs.fail));
    return count > 0
      ? fail(
          `SIMs with a cycle, order or pre-activation period that ended more than an hour ago and has not been processed: ${count}. Bills of their organisations are not published until it has`,
          'Is a server with the role worker running? The log shows why usage.turn-cycles, bundle.end-orders or bundle.end-pre-activations fails',
        )
      : ok('Ended cycles, orders and pre-activation periods have been processed');
  },
};

const lateSeconds = 60;

const histories: Check = {
  name: 'histories',
  needsDatabase: true,
  run: async ({ pool }) => {
    if (!(await readShards(pool, writtenHistories))) return skipped('All tables are on one server');
    const count = await countUnwritten(pool, lateSeconds);
    return count > 0
      ? fail(
          `Accounting batches whose histories have not been written to their nodes for more than a minute: ${count}`,
          'Servers with the role aaa connect to the workers of the cluster directly: their logs show what fails',
        )
      : ok('The histories of all accounting batches have been written to their nodes');
  },
};

export const workChecks = [servers, outbox, jobs, cycles, histories];
