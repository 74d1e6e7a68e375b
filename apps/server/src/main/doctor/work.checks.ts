import { countUnwritten, writtenHistories } from '../../modules/usage/index.ts';
import { readShards } from '../../platform/db/index.ts';
import { type RoleName, roleNames } from '../../platform/env/index.ts';
import { countDeadLetters } from '../../platform/jobs/index.ts';
import { statusOfConsumers } from '../../platform/outbox/index.ts';
import { type Check, fail, ok, skipped, warn } from './check.ts';
import { listRunning } from './doctor.views.ts';

const withoutRole: Record<RoleName, string> = {
  web: 'nobody reaches the console',
  worker: 'nothing is disconnected, sent or billed, and tasks wait',
  aaa: 'gateways get no answer',
};

const servers: Check = {
  name: 'servers',
  needsDatabase: true,
  run: async ({ pool }) => {
    const running = await listRunning(pool);
    if (running.length === 0) return warn('No server is connected to the database', 'Start the servers');
    if (running.some(({ roles }) => roles.length === 0))
      return skipped('A server of an older version is running, which does not say its roles');
    const missing = roleNames.filter((role) => !running.some(({ roles }) => roles.includes(role)));
    return missing.length > 0
      ? fail(
          `No server has the role ${missing.map((role) => `${role}: ${withoutRole[role]}`).join('; nor ')}`,
          'Start one with SIMCUBE_ROLES of that role, and look at the last lines of its log',
        )
      : ok(`${running.length} servers are connected, with all roles`);
  },
};

const lateMs = { warn: 300_000, fail: 3_600_000 };

const outbox: Check = {
  name: 'outbox',
  needsDatabase: true,
  run: async ({ pool, clock, consumers }) => {
    const all = await statusOfConsumers(pool, consumers);
    const now = clock.now().getTime();
    const late = all
      .filter(({ oldestAt }) => oldestAt !== null && now - oldestAt.getTime() >= lateMs.warn)
      .sort((a, b) => (a.oldestAt?.getTime() ?? 0) - (b.oldestAt?.getTime() ?? 0));
    const given = all.filter(({ deadLettered }) => deadLettered > 0).map(({ consumer }) => consumer);
    const [oldest] = late;
    if (oldest?.oldestAt) {
      const minutes = Math.floor((now - oldest.oldestAt.getTime()) / 60_000);
      const said = `Facts wait for ${minutes} minutes for ${late.map(({ consumer }) => consumer).join(', ')}`;
      const mend = 'Is a server with the role worker running? simcube outbox status shows the last error';
      return minutes * 60_000 >= lateMs.fail ? fail(said, mend) : warn(said, mend);
    }
    return given.length > 0
      ? warn(`Facts were given up by ${given.join(', ')}`, 'See simcube outbox list, then retry or drop them')
      : ok(`${all.length} consumers of facts are up to date`);
  },
};

const jobs: Check = {
  name: 'jobs',
  needsDatabase: true,
  run: async ({ pool }) => {
    const count = await countDeadLetters(pool);
    return count > 0
      ? warn(`${count} jobs have used up their attempts`, 'See simcube jobs list, then retry or drop them')
      : ok('No job has used up its attempts');
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
          `Nodes were not given what ${count} batches of accounting counted more than a minute ago`,
          'Servers with the role aaa connect to the workers of the cluster themselves: their log says what fails',
        )
      : ok('Nodes have been given what accounting counted');
  },
};

export const workChecks = [servers, outbox, jobs, histories];
