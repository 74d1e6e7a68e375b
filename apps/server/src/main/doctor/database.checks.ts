import { isIPv4 } from 'node:net';
import { dayMs } from '@simcube/contract/time';
import { compareMigrations, minimumVersion, readInstallation, troubleOf } from '../../platform/db/index.ts';
import { findEmbedded, hasCluster } from '../../platform/embedded/index.ts';
import { UnusableSettings } from '../../platform/env/index.ts';
import { checkInstallationKey } from '../../platform/secrets/index.ts';
import { checkDayOffset } from '../day-offset.ts';
import { listPublishedPasswords } from '../demo/published-passwords.ts';
import { sealedStores } from '../sealed-stores.ts';
import {
  type Check,
  type Finding,
  fail,
  invalidOf,
  notChecked,
  ok,
  reasonOf,
  skipped,
  warn,
} from './check.ts';
import {
  type DatabaseFacts,
  hasTables,
  listMissingPartitions,
  listRunningServers,
  readClock,
  readDatabaseFacts,
} from './doctor.views.ts';

const busyShare = 0.8;
/** For LISTEN, health, and accounting with its access decisions. */
const connectionsBesidePool = 4;
const skew = { warnMs: 2_000, failMs: 60_000 };

const reachable: Check = {
  name: 'database',
  needsDatabase: false,
  settings: ['DATABASE_URL'],
  run: async ({ pool }) => {
    const { version, shown } = await readDatabaseFacts(pool);
    return version < minimumVersion
      ? fail(`PostgreSQL ${shown} is too old`, 'Use PostgreSQL 15 or newer (docs/operations.md, Settings)')
      : ok(`PostgreSQL ${shown} responds and accepts writes`);
  },
  unanswered: async (error, { env }) => {
    const reason = reasonOf(error);
    if (troubleOf(error) === 'read-only')
      return fail('The database is read-only', 'Point DATABASE_URL at the primary server');
    if (/^28/.test(reason))
      return fail(`The database refuses the user or the password (${reason})`, 'Correct DATABASE_URL');
    if (/^3D/.test(reason))
      return fail(`The database server has no database of this name (${reason})`, 'Correct DATABASE_URL');
    if (env.databaseUrl !== undefined)
      return fail(
        `The database does not answer (${reason})`,
        'Check DATABASE_URL, and whether that server is running',
      );
    const damage = await findEmbedded(env.dataDir).catch((cause: unknown) => cause);
    if (damage instanceof UnusableSettings)
      return fail(
        `database.json in ${env.dataDir} is damaged: the password of the database is unknown`,
        'Restore this file from a backup; the database, in its own directory, may be intact',
      );
    if (await hasCluster(env.dataDir))
      return fail(
        `The embedded database does not run (${reason}): nothing in it was checked`,
        'Start the server, which starts its database, and run this again',
      );
    return fail(
      `There is no database in ${env.dataDir}, and DATABASE_URL is not set`,
      'Set DATABASE_URL, or SIMCUBE_DATA_DIR to the data directory; the first start of a server creates one',
    );
  },
};

const connections: Check = {
  name: 'database connections',
  needsDatabase: true,
  settings: ['SIMCUBE_DB_POOL'],
  run: async ({ pool, env }) => {
    const { connections: open, maxConnections } = await readDatabaseFacts(pool);
    const said = `${open} of ${maxConnections} connections are open`;
    const mend = `Raise max_connections, or lower SIMCUBE_DB_POOL (${env.databasePool} for each process)`;
    if (open >= maxConnections * busyShare) return warn(said, mend);
    const servers = (await listRunningServers(pool)).length;
    const wanted = servers * (env.databasePool + connectionsBesidePool);
    return wanted > maxConnections
      ? warn(`${servers} processes may open ${wanted} connections, of ${maxConnections}`, mend)
      : ok(said);
  },
};

const durability: Check = {
  name: 'durability',
  needsDatabase: true,
  run: async ({ pool }) => durabilityOf(await readDatabaseFacts(pool)),
};

/** What a crash of the database's machine would destroy. */
export const durabilityOf = ({
  fsync,
  fullPageWrites,
  synchronousCommit,
}: Pick<DatabaseFacts, 'fsync' | 'fullPageWrites' | 'synchronousCommit'>): Finding => {
  const off = [...(fsync ? [] : ['fsync']), ...(fullPageWrites ? [] : ['full_page_writes'])];
  if (off.length > 0)
    return warn(
      `With ${off.join(' and ')} off, a crash of the machine can destroy the database`,
      `Turn ${off.join(' and ')} on`,
    );
  return synchronousCommit
    ? ok('What is committed is on disk')
    : warn(
        'With synchronous_commit off, a crash of the database loses what was answered just before, and can send messages twice',
        'Turn synchronous_commit on',
      );
};

const migrations: Check = {
  name: 'migrations',
  needsDatabase: true,
  run: async ({ pool, env }) => {
    const { applied, pending, unknown } = await compareMigrations(pool, env.migrationsDir);
    if (unknown.length > 0)
      return fail(
        `The database is newer than this program: it has ${unknown.length} additional migrations`,
        'Start the version that last opened the database, or a newer one',
      );
    return pending.length > 0
      ? warn(`Migrations not applied: ${pending.length}`, 'A server applies them when it starts')
      : ok(`${applied.length} migrations are applied, the last is ${applied.at(-1)}`);
  },
};

const partitions: Check = {
  name: 'partitions',
  needsDatabase: true,
  run: async ({ pool, clock }) => {
    if (!(await hasTables(pool)))
      return skipped('There are no tables yet: the first start of a server creates them');
    const now = clock.now();
    const mend = 'Start a server with the role worker: its job creates them three months ahead';
    const [first] = await listMissingPartitions(pool, [now]);
    if (first) return fail(`There is no partition for new records: ${first}`, mend);
    const [next] = await listMissingPartitions(pool, [new Date(now.getTime() + 31 * dayMs)]);
    return next
      ? warn(`There is no partition for the next month: ${next}`, mend)
      : ok('There are partitions for this month and the next');
  },
};

const clockSkew: Check = {
  name: 'clock',
  needsDatabase: true,
  run: async ({ pool, clock }) => {
    const before = clock.now().getTime();
    const databaseTime = await readClock(pool);
    const after = clock.now().getTime();
    // The database's time was taken at any moment between the two.
    const difference = Math.max(before - databaseTime, databaseTime - after, 0);
    const said = `This machine's clock and the database's differ by ${(difference / 1000).toFixed(1)} s`;
    const mend = 'Synchronise both clocks (NTP): signatures, limits and cycles depend on them';
    if (difference >= skew.failMs) return fail(said, mend);
    return difference >= skew.warnMs ? warn(said, mend) : ok(said);
  },
};

const sealingKey: Check = {
  name: 'sealing key',
  needsDatabase: true,
  settings: ['SIMCUBE_SECRET_KEY'],
  run: async ({ pool, env }) => {
    try {
      await checkInstallationKey({ pool, source: env, stores: sealedStores });
      return ok('The sealing key is present and is the right one');
    } catch (error) {
      if (error instanceof UnusableSettings)
        return fail(error.message, 'See docs/operations.md, “The sealing key”');
      throw error;
    }
  },
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

const demonstration: Check = {
  name: 'demonstration',
  needsDatabase: true,
  run: async ({ pool, env }) => {
    if (!(await readInstallation(pool, ['demo'])).has('demo'))
      return env.demo
        ? skipped('The demonstration is created only in an empty database')
        : ok('The database does not contain the demonstration');
    if (!env.demo) {
      const open = await listPublishedPasswords(pool);
      return open.length === 0
        ? ok('The accounts of the demonstration no longer have their published passwords')
        : fail(
            'The database contains the demonstration, and its accounts have passwords that everybody knows',
            'Use another database, which may be empty, replace the passwords (users reset-password), or show the demonstration with SIMCUBE_DEMO=1',
          );
    }
    const invalid = invalidOf(env, ['SIMCUBE_PUBLIC_URL']);
    if (invalid) return notChecked(invalid);
    return isLoopback(env.http.host) && env.publicUrl === undefined
      ? ok('The demonstration can be reached from this machine only')
      : warn(
          'The demonstration can be reached from other machines, and its passwords are known to everybody',
          'Set SIMCUBE_HOST to 127.0.0.1 and remove SIMCUBE_PUBLIC_URL, or accept this for a network of your own',
        );
  },
};

const businessDays: Check = {
  name: 'business days',
  needsDatabase: true,
  settings: ['SIMCUBE_DAY_OFFSET'],
  run: async ({ pool, env }) => {
    try {
      const zone = await checkDayOffset(pool, env);
      return zone === undefined
        ? skipped('The first start of a server sets when business days end')
        : ok(`Business days end at 23:59:59 ${zone}`);
    } catch (error) {
      if (error instanceof UnusableSettings)
        return fail(error.message, 'See docs/operations.md, “The month’s boundary”');
      throw error;
    }
  },
};

export const databaseChecks = [
  reachable,
  connections,
  durability,
  migrations,
  partitions,
  clockSkew,
  sealingKey,
  businessDays,
  demonstration,
];
