import { randomInt } from 'node:crypto';
import { defaultLanguage, type Role } from '@simcube/contract';
import type { Command } from 'commander';
import type { Actor } from '../../platform/access/index.ts';
import { type CliContext, jsonOption, printRows, using } from '../../platform/cli/index.ts';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import { operatorActor, recordAudit } from '../audit/index.ts';
import { counters } from './attempts/attempts.service.ts';
import { endInvitation, lockPendingInvitation } from './invitations/invitations.queries.ts';
import { readPassword } from './passwords/password.prompt.ts';
import { generatePassword } from './passwords/passwords.rules.ts';
import { findUserByEmail } from './people/people.queries.ts';
import { nameOf, normaliseEmail } from './people/people.rules.ts';
import type { CreateUserRequest } from './people/people.service.ts';
import { findPerson, listPeople, type PersonDetails } from './people/people.views.ts';

/** The dependencies of the commands; organisations belong to the org module, so main passes its services in. */
export interface UsersContext extends CliContext {
  identity: {
    createUser: (tx: Sql, person: CreateUserRequest) => Promise<string>;
    setPassword: (request: { email: string; password: string; actor: Actor }) => Promise<boolean>;
    resetTwoFactor: (request: { email: string; actor: Actor }) => Promise<boolean | undefined>;
  };
  org: {
    findOrganisation: (sql: Sql, code: string) => Promise<{ id: number; code: string } | undefined>;
    makeSuperadmin: (
      tx: Sql,
      membership: { userId: string; orgId: number },
    ) => Promise<{ formerRole?: Role } | false>;
  };
}

const maxListed = 1000;
const passwordHelp = 'read the password from standard input (one line) instead of prompting';

type WithContext = (work: (context: UsersContext) => Promise<void>) => Promise<void>;

/**
 * `simcube users …`: the people who sign in. A password is never an argument, which others could see. The audit
 * trail records changes as the operator's.
 */
export const identityCommands = (program: Command, open: () => Promise<UsersContext>): void => {
  const users = program.command('users').description('Manage people who sign in');
  const withContext: WithContext = (work) => using(open, work);
  readCommands(users, withContext);
  createCommand(users, withContext);
  resetCommands(users, withContext);
};

const readCommands = (users: Command, withContext: WithContext): void => {
  users
    .command('list')
    .description(`List people by email address, at most ${maxListed}`)
    .option('--search <text>', 'part of the email address', '')
    .option(...jsonOption)
    .action(({ search, json }: { search: string; json: boolean }) =>
      withContext(async ({ pool }) => {
        const lines = await listPeople(pool, { search, limit: maxListed });
        printRows(lines, {
          json,
          line: ({ email, name, disabled, lastSignInAt }) => [
            email,
            name,
            disabled ? 'disabled' : 'enabled',
            lastSignInAt?.toISOString() ?? 'never',
          ],
        });
      }),
    );

  users
    .command('show <email>')
    .description('Show a person: organisations, sign-ins, two-factor, locks')
    .option(...jsonOption)
    .action((typed: string, { json }: { json: boolean }) =>
      withContext(async ({ pool, clock }) => {
        const email = normaliseEmail(typed);
        const addressKey = counters.signIn(email).key;
        const person = await findPerson(pool, { email, addressKey, now: clock.now() });
        if (!person) throw new Error(`There is no person with the email address ${email}`);
        console.info(json ? JSON.stringify(person) : linesOf(person).join('\n'));
      }),
    );
};

const linesOf = (person: PersonDetails): string[] => [
  `${person.email}\t${person.name}\t${person.disabled ? 'disabled' : 'enabled'}`,
  `id\t${person.id}`,
  `language\t${person.locale}`,
  `made\t${person.createdAt.toISOString()}`,
  `sign-ins\t${person.signIns}, last ${person.lastSignInAt?.toISOString() ?? 'never'}`,
  `sessions\t${person.openSessions}`,
  `two-factor\t${person.twoFactor ? `on, ${person.recoveryCodesLeft} recovery codes left` : 'off'}`,
  `failed sign-ins\t${person.failedSignIns}${person.lockedUntil ? `, locked until ${person.lockedUntil.toISOString()}` : ''}`,
  ...person.organisations.map(
    ({ code, role, default: isDefault, disabled }) =>
      `organisation\t${code}\t${role}${isDefault ? ', default' : ''}${disabled ? ', disabled' : ''}`,
  ),
];

const createCommand = (users: Command, withContext: WithContext): void => {
  users
    .command('create-superadmin <email>')
    .description(
      'Make a person superadmin of an organisation; an existing person keeps their name and password',
    )
    .requiredOption('--org <code>', 'the organisation')
    .option('--first-name <name>', 'first name', 'Super')
    .option('--last-name <name>', 'last name', 'Admin')
    .option('--password-stdin', passwordHelp, false)
    .option('--generate-password', 'generate a password and print it once', false)
    .option(...jsonOption)
    .action((email: string, options: CreateOptions) =>
      withContext(async (context) => {
        const organisation = await context.org.findOrganisation(context.pool, options.org);
        if (!organisation) throw new Error(`There is no organisation ${options.org}`);
        const known = await findUserByEmail(context.pool, normaliseEmail(email));
        if (known) {
          const joined = { userId: known.id, email: known.email, organisation: organisation.code };
          await inTransaction(context.pool, (tx) =>
            joinAsSuperadmin(tx, context, { orgId: organisation.id, person: known }),
          );
          const sentence = `${known.email} is superadmin of ${organisation.code}`;
          return void console.info(options.json ? JSON.stringify(joined) : sentence);
        }
        const password = await choosePassword(options);
        const userId = await inTransaction(context.pool, (tx) =>
          createSuperadmin(tx, context, { email, password, orgId: organisation.id, ...options }),
        );
        report(options, { userId, email, organisation: organisation.code, password }, `Created ${email}`);
      }),
    );
};

const createSuperadmin = async (
  tx: Sql,
  context: UsersContext,
  options: { email: string; password: string; orgId: number; firstName: string; lastName: string },
): Promise<string> => {
  const { email, password, orgId, firstName, lastName } = options;
  const person = { email, firstName, lastName, locale: defaultLanguage, password };
  const userId = await context.identity.createUser(tx, person);
  const created = { id: userId, email: normaliseEmail(email), firstName, lastName };
  await joinAsSuperadmin(tx, context, { orgId, person: created });
  return userId;
};

/** @throws Error when the person is already a superadmin there, or is disabled there */
const joinAsSuperadmin = async (
  tx: Sql,
  { org, clock }: UsersContext,
  { orgId, person }: { orgId: number; person: JoiningPerson },
): Promise<void> => {
  const { id: userId, email, firstName, lastName } = person;
  const created = await org.makeSuperadmin(tx, { userId, orgId });
  if (!created)
    throw new Error(`${nameOf(person)} is already superadmin of this organisation, or disabled in it`);
  // The person is in now: an open invitation would take a second seat.
  const invitation = await lockPendingInvitation(tx, { orgId, email });
  if (invitation) await endInvitation(tx, { id: invitation.id, status: 'accepted', now: clock.now() });
  const membership = { role: 'superadmin', oversight: true } as const;
  const { formerRole } = created;
  await recordAudit(tx, {
    orgId,
    actor: operatorActor(),
    at: clock.now(),
    subject: { kind: 'account', id: userId, name: email },
    ...(formerRole
      ? { action: 'account.updated', before: { role: formerRole }, after: membership }
      : { action: 'account.created', after: { first_name: firstName, last_name: lastName, ...membership } }),
  });
};

interface JoiningPerson {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

const resetCommands = (users: Command, withContext: WithContext): void => {
  users
    .command('reset-password <email>')
    .description('Set a new password; the person’s sessions end, and a notification is sent by email')
    .option('--password-stdin', passwordHelp, false)
    .option('--generate-password', 'generate a password and print it once', false)
    .option(...jsonOption)
    .action((email: string, options: PasswordOptions) =>
      withContext(async ({ identity }) => {
        const password = await choosePassword(options);
        const known = await identity.setPassword({ email, password, actor: operatorActor() });
        if (!known) throw new Error(`There is no person with the email address ${email}`);
        report(options, { email, password }, `The password of ${email} is set`);
      }),
    );

  users
    .command('reset-two-factor <email>')
    .description(
      'Turn two-factor off for a person who has lost phone and recovery codes; a notification is sent by email',
    )
    .option(...jsonOption)
    .action((email: string, { json }: { json: boolean }) =>
      withContext(async ({ identity }) => {
        const wasOn = await identity.resetTwoFactor({ email, actor: operatorActor() });
        if (wasOn === undefined) throw new Error(`There is no person with the email address ${email}`);
        const sentence = wasOn ? `Two-factor of ${email} is off` : `Two-factor of ${email} was already off`;
        console.info(json ? JSON.stringify({ email, wasOn }) : sentence);
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

const choosePassword = ({ passwordStdin, generatePassword: generate }: PasswordOptions): Promise<string> =>
  generate
    ? Promise.resolve(generatePassword((below) => randomInt(below)))
    : readPassword({ prompt: !passwordStdin });

/** A password is printed only if it was generated here, because it is not stored in readable form. */
const report = (
  { json, generatePassword: generated }: PasswordOptions,
  { password, ...facts }: { password: string } & Record<string, string>,
  sentence: string,
): void => {
  if (json) console.info(JSON.stringify(generated ? { ...facts, password } : facts));
  else console.info(generated ? `${sentence}; password: ${password}` : sentence);
};
