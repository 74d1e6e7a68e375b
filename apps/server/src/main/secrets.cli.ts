import type { Command } from 'commander';
import { operatorActor, recordAudit } from '../modules/audit/index.ts';
import { type CliContext, jsonOption, readSecret, sentenceOf, using } from '../platform/cli/index.ts';
import type { Sql } from '../platform/db/index.ts';
import { type Env, UnusableSettings } from '../platform/env/index.ts';
import {
  adoptKey,
  checkSealedStores,
  exchangeKey,
  type KeyRing,
  keyFromText,
  type SealedReport,
} from '../platform/secrets/index.ts';
import { sealedStores } from './sealed-stores.ts';

export interface SecretsContext extends CliContext {
  vault: KeyRing;
  env: Pick<Env, 'secretKey' | 'dataDir'>;
}

interface OutputOptions {
  json: boolean;
}

/** `simcube secrets …`: the key that seals stored secrets, and what it has sealed. */
export const secretsCommands = (program: Command, open: () => Promise<SecretsContext>): void => {
  const secrets = program
    .command('secrets')
    .description('Manage the sealing key and the secrets that it seals');

  secrets
    .command('check')
    .description('Decrypt all sealed secrets, and list those that cannot be decrypted (exit code 1)')
    .option(...jsonOption)
    .action((options: OutputOptions) =>
      using(open, async ({ pool, vault }) => {
        // Without its key the vault throws here, even if nothing is sealed.
        const key = vault.check.slice(0, 8);
        const reports = await checkSealedStores(pool, { ring: vault, stores: sealedStores });
        if (!options.json) console.info(`the sealing key fits (its check value begins with ${key})`);
        print(reports, options);
        if (reports.some(({ lost }) => lost.length > 0)) process.exitCode = 1;
      }),
    );

  secrets
    .command('rotate')
    .description(
      'Rotate the sealing key: everything is sealed again, and running servers switch to the new key',
    )
    .option('--new-key-stdin', 'read the new key, 64 hexadecimal digits, from standard input', false)
    .option(...jsonOption)
    .action((options: OutputOptions & { newKeyStdin: boolean }) =>
      using(open, (context) => rotate(context, options)),
    );

  secrets
    .command('adopt')
    .description('Adopt the present key as the installation’s, after the previous one was permanently lost')
    .requiredOption(
      '--old-key-is-lost',
      'confirm the loss: what was sealed with the old key can no longer be read',
    )
    .option(...jsonOption)
    .action((options: OutputOptions) =>
      using(open, async (context) => {
        const { pool, env } = context;
        const record = auditRecorder(context, 'secrets.key-adopted');
        const reports = await adoptKey({ pool, source: env, stores: sealedStores, record });
        print(reports, options);
      }),
    );
};

const rotate = async (
  context: SecretsContext,
  options: OutputOptions & { newKeyStdin: boolean },
): Promise<void> => {
  const { pool, env, vault } = context;
  if (env.secretKey && !options.newKeyStdin) {
    throw new UnusableSettings(
      'The sealing key is set in SIMCUBE_SECRET_KEY, so you must supply the new one: generate it with ' +
        '`openssl rand -hex 32`, store it, and pass it to `simcube secrets rotate --new-key-stdin`.',
    );
  }
  const { reports, failure } = await exchangeKey({
    pool,
    source: env,
    ring: vault,
    stores: sealedStores,
    key: options.newKeyStdin ? await readNewKey() : undefined,
    record: auditRecorder(context, 'secrets.rotated'),
  });
  print(reports, options);
  if (!options.json)
    console.info(
      env.secretKey
        ? 'The key was rotated. Set SIMCUBE_SECRET_KEY to the new one everywhere: no process starts with the old one.'
        : `The key was rotated: ${env.dataDir}/secret.key is new, and the old one is kept next to it for older backups.`,
    );
  if (!failure) return;
  console.warn(
    `The new key is in force, but a step after the rotation failed: ${sentenceOf(failure)} ` +
      'Check with `simcube secrets check` whether everything can be read.',
  );
  process.exitCode = 1;
};

const readNewKey = async (): Promise<Buffer> => {
  const key = keyFromText(await readSecret('New sealing key'));
  if (!key)
    throw new Error(
      'The new key must be 64 hexadecimal digits, such as those that `openssl rand -hex 32` prints',
    );
  return key;
};

const auditRecorder =
  ({ clock }: SecretsContext, action: 'secrets.rotated' | 'secrets.key-adopted') =>
  (tx: Sql, reports: readonly SealedReport[]): Promise<void> =>
    recordAudit(tx, {
      orgId: null,
      actor: operatorActor(),
      at: clock.now(),
      action,
      subject: { kind: 'installation', id: 'sealing-key', name: 'sealing key' },
      after: Object.fromEntries(
        reports.map(({ store, readable, lost }) => [
          store.replaceAll(' ', '_'),
          lost.length > 0 ? { readable, lost } : { readable },
        ]),
      ),
    });

const print = (reports: readonly SealedReport[], { json: isJson }: OutputOptions): void => {
  if (isJson) return void console.info(JSON.stringify(reports));
  for (const { store, readable, lost } of reports) {
    console.info(`${store}\t${readable} sealed with the key\t${lost.length} not readable`);
    for (const label of lost) console.info(`\tnot readable: ${label}`);
  }
};
