import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { userCommands } from './identity.cli.ts';
import { isPassword } from './people/people.rules.ts';

let database: Database;
const memberships: unknown[] = [];

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());
afterEach(() => vi.restoreAllMocks());

/** Runs `simcube users …` and gives back what it printed. */
const users = async (...args: string[]): Promise<string> => {
  const printed: string[] = [];
  vi.spyOn(console, 'info').mockImplementation((line: string) => printed.push(line));
  const program = new Command().exitOverride();
  userCommands(program, async () => ({
    pool: database.pool,
    clock: new FixedClock('2026-05-01T08:00:00Z'),
    org: {
      findOrganisation: async (_sql, code) => (code === 'northwind' ? { id: 7, code } : undefined),
      addMembership: async (_tx, membership) => memberships.push(membership) > 0,
      memberships: async () => [],
    },
    close: async () => undefined,
  }));
  await program.parseAsync(['users', ...args], { from: 'user' });
  return printed.join('\n');
};

const create = ['create-superadmin', 'Boss@Example.com', '--org', 'northwind', '--generate-password'];

it('makes a superadmin, lists and resets; a password that was made up is told once', async () => {
  const made = JSON.parse(await users(...create, '--json'));
  expect(made).toMatchObject({ email: 'Boss@Example.com', organisation: 'northwind' });
  expect(isPassword(made.password)).toBe(true);
  expect(memberships).toEqual([{ userId: made.userId, orgId: 7, role: 'superadmin', oversight: true }]);

  const [listed] = JSON.parse(await users('list', '--search', 'BOSS', '--json'));
  expect(listed).toMatchObject({ id: made.userId, email: 'boss@example.com', signIns: 0, disabled: false });
  expect(await users('list')).toBe('boss@example.com\tSuper Admin\tenabled\tnever');

  const reset = JSON.parse(
    await users('reset-password', 'boss@example.com', '--generate-password', '--json'),
  );
  expect(reset.password).not.toBe(made.password);
});

it('makes nobody when the organisation is not there or the address is taken', async () => {
  await expect(
    users('create-superadmin', 'x@example.com', '--org', 'nobody', '--generate-password'),
  ).rejects.toThrow('There is no organisation nobody');
  await expect(users(...create)).rejects.toThrow('Somebody has this address already');
  await expect(users('reset-password', 'x@example.com', '--generate-password')).rejects.toThrow(
    'Nobody has the address x@example.com',
  );
  expect(JSON.parse(await users('list', '--json'))).toHaveLength(1);
});
