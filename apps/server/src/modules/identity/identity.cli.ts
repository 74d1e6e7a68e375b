import { randomInt } from 'node:crypto';
import { defaultLanguage, type MembershipInfo, type Role } from '@simcube/contract';
import type { Command } from 'commander';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import { readPassword } from './passwords/password.prompt.ts';
import { createHasher } from './passwords/passwords.hasher.ts';
import { listUsers } from './people/people.queries.ts';
import { generatePassword } from './people/people.rules.ts';
import { createSessions } from './sessions/sessions.service.ts';
import { createIdentity } from './sign-in/sign-in.service.ts';

/** What the commands need; organisations are the org module's, so main hands its services in. */
export interface UsersContext {
  pool: pg.Pool;
  clock: Clock;
  org: {
    findOrganisation: (sql: Sql, code: string) => Promise<{ id: number; code: string } | undefined>;
    addMembership: (
      tx: Sql,
      membership: { userId: string; orgId: number; role: Role; oversight: boolean },
    ) => Promise<boolean>;
    memberships: (userId: string) => Promise<MembershipInfo[]>;
  };
  close: () => Promise<void>;
}

const listedAtMost = 1000;
const passwordHelp = 'read the password from standard input (one line) instead of asking';

const identityOf = ({ pool, clock, org }: UsersContext) =>
  createIdentity({
    pool,
    clock,
    hasher: createHasher(),
    sessions: createSessions({ pool, clock }),
    memberships: org.memberships,
  });

/** `simcube users …`: the people who sign in. A password never stands in the arguments, which others can see. */
export const userCommands = (program: Command, open: () => Promise<UsersContext>): void => {
  const users = program.command('users').description('People who sign in');
  const withContext = async (work: (context: UsersContext) => Promise<void>) => {
    const context = await open();
    try {
      await work(context);
    } finally {
      await context.close();
    }
  };

  users
    .command('list')
    .description(`People by address, ${listedAtMost} at most`)
    .option('--search <text>', 'part of the address', '')
    .option('--json', 'machine-readable output', false)
    .action(({ search, json }: { search: string; json: boolean }) =>
      withContext(async ({ pool }) => {
        const lines = await listUsers(pool, { search: search.toLowerCase(), limit: listedAtMost });
        if (json) return void console.info(JSON.stringify(lines));
        for (const line of lines) {
          const last = line.lastSignInAt?.toISOString() ?? 'never';
          console.info(`${line.email}\t${line.name}\t${line.disabled ? 'disabled' : 'enabled'}\t${last}`);
        }
      }),
    );

  users
    .command('create-superadmin <email>')
    .description('Make a person who is superadmin of an organisation')
    .requiredOption('--org <code>', 'the organisation')
    .option('--first-name <name>', 'first name', 'Super')
    .option('--last-name <name>', 'last name', 'Admin')
    .option('--password-stdin', passwordHelp, false)
    .option('--generate-password', 'make a password up and print it once', false)
    .option('--json', 'machine-readable output', false)
    .action((email: string, wanted: CreateOptions) =>
      withContext(async (context) => {
        const organisation = await context.org.findOrganisation(context.pool, wanted.org);
        if (!organisation) throw new Error(`There is no organisation ${wanted.org}`);
        const password = await wantedPassword(wanted);
        const { createUser } = identityOf(context);
        const userId = await inTransaction(context.pool, async (tx) => {
          const { firstName, lastName } = wanted;
          const id = await createUser(tx, { email, firstName, lastName, locale: defaultLanguage, password });
          await context.org.addMembership(tx, {
            userId: id,
            orgId: organisation.id,
            role: 'superadmin',
            oversight: true,
          });
          return id;
        });
        report(wanted, { userId, email, organisation: organisation.code, password }, `Made ${email}`);
      }),
    );

  users
    .command('reset-password <email>')
    .description('Set a new password; ends all sessions of the person')
    .option('--password-stdin', passwordHelp, false)
    .option('--generate-password', 'make a password up and print it once', false)
    .option('--json', 'machine-readable output', false)
    .action((email: string, wanted: PasswordOptions) =>
      withContext(async (context) => {
        const password = await wantedPassword(wanted);
        const known = await identityOf(context).setPassword({ email, password, keptSessionId: null });
        if (!known) throw new Error(`Nobody has the address ${email}`);
        report(wanted, { email, password }, `The password of ${email} is set`);
      }),
    );
};

interface PasswordOptions {
  passwordStdin: boolean;
  generatePassword: boolean;
  json: boolean;
}

interface CreateOptions extends PasswordOptions {
  org: string;
  firstName: string;
  lastName: string;
}

const wantedPassword = ({ passwordStdin, generatePassword: generate }: PasswordOptions): Promise<string> =>
  generate
    ? Promise.resolve(generatePassword((below) => randomInt(below)))
    : readPassword({ ask: !passwordStdin });

/** A password is printed only when it was made up here: nobody else knows it. */
const report = (
  { json, generatePassword: generated }: PasswordOptions,
  { password, ...facts }: { password: string } & Record<string, string>,
  sentence: string,
): void => {
  if (json) console.info(JSON.stringify(generated ? { ...facts, password } : facts));
  else console.info(generated ? `${sentence}; password: ${password}` : sentence);
};
