import type { Role } from '@simcube/contract';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { personPassword, testIdentity } from '../../testing/identity.ts';
import { identityCommands } from './identity.cli.ts';
import { normalisePassword } from './passwords/passwords.rules.ts';

let test: Awaited<ReturnType<typeof testIdentity>>;
const memberships: { userId: string; orgId: number; role: Role; oversight: boolean }[] = [];

beforeAll(async () => {
  test = await testIdentity();
});

afterAll(() => test.database.close());
afterEach(() => vi.restoreAllMocks());

/** Runs `simcube users …` and returns what it printed. */
const users = async (...args: string[]): Promise<string> => {
  const printed: string[] = [];
  vi.spyOn(console, 'info').mockImplementation((line: string) => printed.push(line));
  const program = new Command().exitOverride();
  identityCommands(program, async () => ({
    pool: test.pool,
    clock: test.clock,
    identity: {
      createUser: test.createUser,
      setPassword: test.passwords.setFor,
      resetTwoFactor: test.twoFactor.resetFor,
    },
    org: {
      findOrganisation: async (_sql, code) => (code === 'northwind' ? { id: 7, code } : undefined),
      makeSuperadmin: async (_tx, { userId, orgId }) => {
        const there = memberships.find((one) => one.userId === userId && one.orgId === orgId);
        if (there?.role === 'superadmin') return false;
        const formerRole = there?.role;
        if (there) Object.assign(there, { role: 'superadmin', oversight: true });
        else memberships.push({ userId, orgId, role: 'superadmin', oversight: true });
        return formerRole ? { formerRole } : {};
      },
    },
    close: async () => undefined,
  }));
  await program.parseAsync(['users', ...args], { from: 'user' });
  return printed.join('\n');
};

/** The operator's actions in the audit trail. */
const audited = async (subjectId: string) =>
  (
    await test.pool.query(
      `select org_id::int as org, action, before, after from audit_entries
       where actor_kind = 'operator' and subject_id = $1 order by at, org_id desc, number`,
      [subjectId],
    )
  ).rows;

const create = ['create-superadmin', 'Boss@Example.com', '--org', 'northwind', '--generate-password'];

it('makes a superadmin, lists and resets; a generated password is shown once', async () => {
  const made = JSON.parse(await users(...create, '--json'));
  expect(made).toMatchObject({ email: 'Boss@Example.com', organisation: 'northwind' });
  expect(normalisePassword(made.password)).toBe(made.password);
  expect(memberships).toEqual([{ userId: made.userId, orgId: 7, role: 'superadmin', oversight: true }]);

  const [listed] = JSON.parse(await users('list', '--search', 'BOSS', '--json'));
  expect(listed).toMatchObject({
    id: made.userId,
    email: 'boss@example.com',
    signIns: 0,
    disabled: false,
    twoFactor: false,
  });
  expect(await users('list')).toBe('boss@example.com\tSuper Admin\tenabled\tnever');

  const reset = JSON.parse(
    await users('reset-password', 'boss@example.com', '--generate-password', '--json'),
  );
  expect(reset.password).not.toBe(made.password);
  expect((await test.mails()).map(({ to }) => to)).toEqual(['boss@example.com']);
  const entries = await audited(made.userId);
  expect(entries).toMatchObject([
    { org: 7, action: 'account.created', after: { role: 'superadmin', first_name: 'Super' } },
    { org: 0, action: 'account.password-reset' },
  ]);
  for (const { password } of [made, reset]) expect(JSON.stringify(entries)).not.toContain(password);
});

it('shows one person, and turns two-factor off after the loss of a phone', async () => {
  const person = await test.makePerson();
  await test.enableTwoFactor(person);
  await test.mails();
  const shown = JSON.parse(await users('show', person.email.toUpperCase(), '--json'));
  expect(shown).toMatchObject({
    id: person.userId,
    email: person.email,
    twoFactor: true,
    recoveryCodesLeft: 10,
    organisations: [],
    failedSignIns: 0,
    lockedUntil: null,
  });
  expect(JSON.stringify(shown)).not.toMatch(/hash|secret/i);
  expect(await users('show', person.email)).toContain('two-factor\ton, 10 recovery codes left');
  expect(await users('reset-two-factor', person.email)).toBe(`Two-factor of ${person.email} is off`);
  expect(JSON.parse(await users('reset-two-factor', person.email, '--json'))).toEqual({
    email: person.email,
    wasOn: false,
  });
  expect(await audited(person.userId)).toMatchObject([{ action: 'two-factor.disabled' }]);
  expect(await test.mails()).toHaveLength(1);
  expect(JSON.parse(await users('show', person.email, '--json'))).toMatchObject({
    twoFactor: false,
    recoveryCodesLeft: 0,
  });
  const request = { email: person.email, password: personPassword, address: null };
  expect(await test.prove(request)).toMatchObject({ id: person.userId });
});

it('makes a known person a superadmin, who keeps name and password', async () => {
  const { userId, email } = await test.makePerson();
  const joined = await users('create-superadmin', email.toUpperCase(), '--org', 'northwind', '--json');
  expect(JSON.parse(joined)).toEqual({ userId, email, organisation: 'northwind' });
  expect(memberships.at(-1)).toEqual({ userId, orgId: 7, role: 'superadmin', oversight: true });
  expect(await test.prove({ email, password: personPassword, address: null })).toMatchObject({ id: userId });
  expect(await audited(userId)).toMatchObject([{ org: 7, action: 'account.created' }]);
});

it('makes a member with another role a superadmin', async () => {
  const { userId, email } = await test.makePerson();
  memberships.push({ userId, orgId: 7, role: 'admin', oversight: false });
  await users('create-superadmin', email, '--org', 'northwind');
  expect(await audited(userId)).toMatchObject([
    { action: 'account.updated', before: { role: 'admin' }, after: { role: 'superadmin', oversight: true } },
  ]);
});

it('creates no person when the organisation does not exist or the person is its superadmin already', async () => {
  await expect(
    users('create-superadmin', 'x@example.com', '--org', 'nobody', '--generate-password'),
  ).rejects.toThrow('There is no organisation nobody');
  await expect(users(...create)).rejects.toThrow('is already superadmin of this organisation');
  for (const command of [['reset-password', '--generate-password'], ['reset-two-factor'], ['show']]) {
    const [name = '', ...options] = command;
    await expect(users(name, 'x@example.com', ...options)).rejects.toThrow(
      'There is no person with the email address x@example.com',
    );
  }
  expect(JSON.parse(await users('list', '--search', 'x@', '--json'))).toHaveLength(0);
});
