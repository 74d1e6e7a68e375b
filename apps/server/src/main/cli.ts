import { sentenceOf, watchOutput } from '../platform/cli/index.ts';
import { type Env, readEnv, UnusableSettings } from '../platform/env/index.ts';
import { noLiveStreams } from '../platform/live/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { openContext } from './context.ts';
import { openInstallation } from './doctor/installation.ts';
import { mailOf } from './mail.ts';
import { type CommandContext, createProgram } from './program.ts';
import { wire } from './wire.ts';

/** Invalid settings (sysexits.h, EX_CONFIG), as the server's exit code. */
const invalidSettingsExitCode = 78;

/** Opens the database (of a running server if there is one) and assembles the modules as the server does. */
const open = async (): Promise<CommandContext> => {
  const env = readEnv();
  for (const warning of env.warnings) console.warn(warning);
  // The output of a command is for pipes, so the log is written to standard error.
  const log = createLog({ level: 'warn', format: 'json', destination: process.stderr });
  const context = await openContext({ env, log, metrics: createMetrics([]), opener: 'command' });
  const { pool } = context.database;
  const { mail, publicUrl } = mailOf(context);
  const wiring = wire({
    pool,
    clock: context.clock,
    vault: context.vault,
    live: noLiveStreams,
    mail,
    publicUrl,
    apiKeyBits: env.apiKeyBits,
    autoflowRules: env.autoflowRules,
  });
  return { ...context, ...wiring, pool };
};

watchOutput(process.stdout, (code) => {
  console.error(`The output can't be written (${code})`);
  process.exitCode = 1;
});

/** Works with or without a running server. */
createProgram(open, openInstallation)
  .parseAsync()
  .catch((error: unknown) => {
    console.error(sentenceOf(error));
    if (wantsDetails()) console.error(error);
    process.exitCode = error instanceof UnusableSettings ? invalidSettingsExitCode : 1;
  });

const wantsDetails = (): boolean => {
  const levels: readonly Env['log']['level'][] = ['debug', 'trace'];
  try {
    return levels.includes(readEnv().log.level);
  } catch {
    return false;
  }
};
