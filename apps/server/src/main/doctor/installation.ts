import { statfs } from 'node:fs/promises';
import { systemClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { findEmbedded } from '../../platform/embedded/index.ts';
import { examineEnv, UnusableSettings } from '../../platform/env/index.ts';
import { noLiveStreams } from '../../platform/live/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { closedVault } from '../../platform/secrets/index.ts';
import { mailOf } from '../mail.ts';
import { wire } from '../wire.ts';
import { invalidOf } from './check.ts';
import type { OpenInstallation } from './doctor.cli.ts';

/** An address where nothing listens: without a database, everything else is still examined. */
const unreachableUrl = 'postgres://127.0.0.1:1/none';

/** The installation of the settings, unchanged: nothing is created, migrated or started. */
export const openInstallation: OpenInstallation = async () => {
  const env = examineEnv();
  // With an invalid URL, a database in the data directory may be another installation's.
  const isElsewhere = invalidOf(env, ['DATABASE_URL']) !== undefined;
  const url =
    env.databaseUrl ?? (isElsewhere ? undefined : await findEmbedded(env.dataDir).catch(() => undefined));
  const { pool, close } = connect({
    url: url ?? unreachableUrl,
    max: 4,
    name: 'simcube doctor',
    onError: () => undefined,
    // Statements of checks that timed out must end too, otherwise the command would wait for them.
    statementSeconds: 10,
  });
  const clock = systemClock;
  const log = createLog({ level: 'silent', format: 'json' });
  const vault = closedVault(new UnusableSettings('The key is not used here'));
  const { mail, publicUrl } = mailOf({ env, log, clock, vault });
  const { apiKeyBits, autoflowRules } = env;
  const { consumers } = wire({
    pool,
    clock,
    vault,
    live: noLiveStreams,
    mail,
    publicUrl,
    apiKeyBits,
    autoflowRules,
  });
  return { env, pool, clock, consumers, readDisk, close };
};

export const readDisk = async (directory: string): Promise<{ free: number; total: number }> => {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
};
