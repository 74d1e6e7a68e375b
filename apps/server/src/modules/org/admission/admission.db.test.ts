import { type PermissionMap, permissionsByRole } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionPrincipal } from '../../../platform/access/index.ts';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import {
  insertTestMembership,
  insertTestOrganisation,
  insertTestPerson,
  type TestOrganisation,
} from '../../../testing/organisations.ts';
import { hasUnbilledCharges } from '../../finance/index.ts';
import { orgModule, requirePermission } from '../index.ts';

let database: Database;
let module: ReturnType<typeof orgModule>;
let org: TestOrganisation;
let person: SessionPrincipal;

beforeAll(async () => {
  database = await testDatabase();
  module = orgModule({
    pool: database.pool,
    clock: new FixedClock('2026-11-21T12:00:00Z'),
    hasUnbilledCharges,
  });
});

afterAll(() => database.close());

beforeEach(async () => {
  org = await insertTestOrganisation(database.pool);
  person = await insertTestPerson(database.pool);
  await insertTestMembership(database.pool, { person, org, role: 'operator' });
});

const resolve = (address = '127.0.0.1', wanted = { tenantId: org.tenantId, partnerCode: org.code }) =>
  module.resolveOrg(person, { ...wanted, address });

const set = (assignments: string, values: readonly unknown[] = []) =>
  database.pool.query(`update organisations set ${assignments} where id = $1`, [org.id, ...values]);

const change = (changes: PermissionMap) =>
  database.pool.query('update memberships set permission_changes = $2 where user_id = $1', [
    person.userId,
    changes,
  ]);

describe('the organisation of a call', () => {
  it('has the permissions of the role', async () => {
    expect(await resolve()).toEqual({
      id: org.id,
      code: org.code,
      tenantId: org.tenantId,
      role: 'operator',
      permissions: permissionsByRole.operator,
    });
  });

  it('has the permissions changed for the account', async () => {
    await change({ sim: ['read'], account: ['read'] });
    expect((await resolve())?.permissions).toEqual({
      ...permissionsByRole.operator,
      sim: ['read'],
      account: ['read'],
    });
  });

  it('is lost with a disabled account, and restored with an enabled one', async () => {
    await database.pool.query('update memberships set disabled_at = now() where user_id = $1', [
      person.userId,
    ]);
    expect(await resolve()).toBeUndefined();
    await database.pool.query('update memberships set disabled_at = null where user_id = $1', [
      person.userId,
    ]);
    expect(await resolve()).toBeDefined();
  });

  it('requires two-factor where it is demanded', async () => {
    await set('two_factor_required = true');
    await expect(resolve()).rejects.toMatchObject({ code: 'CB-07-0024' });
    await database.pool.query('update users set totp_enabled_at = now() where id = $1', [person.userId]);
    expect(await resolve()).toBeDefined();
  });

  it('discloses neither requirement to non-members', async () => {
    const stranger = await insertTestPerson(database.pool);
    await set(`two_factor_required = true, allowed_networks = '{192.0.2.0/24}'`);
    const wanted = { tenantId: org.tenantId, partnerCode: org.code, address: '198.51.100.1' };
    expect(await module.resolveOrg(stranger, wanted)).toBeUndefined();
  });
});

describe('allowed networks', () => {
  it('that are empty allow access from anywhere', async () => {
    for (const address of ['203.0.113.9', '2001:db8::1', 'rubbish']) {
      expect(await resolve(address), address).toBeDefined();
    }
  });

  it('contain their own addresses, in any form, and no others', async () => {
    await set('allowed_networks = $2', ['{192.0.2.0/24,198.51.100.7/32,2001:db8:1::/48}']);
    for (const address of [
      '192.0.2.0',
      '192.0.2.255',
      '198.51.100.7',
      '::ffff:192.0.2.1',
      '::ffff:c000:201',
      '2001:db8:1::1',
      '2001:DB8:1:ffff:ffff:ffff:ffff:ffff',
      '2001:db8:1::1%eth0',
    ]) {
      expect(await resolve(address), address).toBeDefined();
    }
    for (const address of [
      '192.0.3.0',
      '198.51.100.8',
      '::ffff:192.0.3.1',
      '::192.0.2.1',
      '2001:db8:2::1',
      '::1',
      'rubbish',
      '',
      "192.0.2.1' or true --",
    ]) {
      await expect(resolve(address), address).rejects.toMatchObject({ code: 'CB-07-0026' });
    }
  });

  it('with all of IPv4 do not include IPv6', async () => {
    await set('allowed_networks = $2', ['{0.0.0.0/0}']);
    expect(await resolve('203.0.113.9')).toBeDefined();
    expect(await resolve('::ffff:203.0.113.9')).toBeDefined();
    await expect(resolve('2001:db8::1')).rejects.toMatchObject({ code: 'CB-07-0026' });
  });
});

describe('the list of organisations at sign-in', () => {
  it('has changed permissions, and no disabled accounts', async () => {
    const other = await insertTestOrganisation(database.pool);
    await insertTestMembership(database.pool, { person, org: other, role: 'user' });
    const [first, second] = await module.memberships(person.userId);
    expect([first?.code, second?.code]).toEqual([org.code, other.code]);
    expect(first).not.toHaveProperty('changes');
    await change({ cdr: [] });
    await database.pool.query('update memberships set disabled_at = now() where org_id = $1', [other.id]);
    expect(await module.memberships(person.userId)).toEqual([
      {
        code: org.code,
        name: `${org.code} Limited`,
        role: 'operator',
        tenantId: org.tenantId,
        default: true,
        logo: null,
        changes: { cdr: [] },
      },
    ]);
  });
});

describe('a permission inside the writing transaction', () => {
  const right = { key: 'cube-schedule-sms', action: 'operate' } as const;
  const ask = (refused?: 'CB-07-0134') =>
    inTransaction(database.pool, (tx) =>
      requirePermission(tx, {
        ...right,
        orgId: org.id,
        userId: person.userId,
        ...(refused && { refused }),
      }),
    );

  it('is returned with the role and all its permissions', async () => {
    expect(await ask()).toEqual({ role: 'operator', permissions: permissionsByRole.operator });
  });

  it('is rejected once it was revoked', async () => {
    await change({ 'cube-schedule-sms': ['read'] });
    await expect(ask()).rejects.toMatchObject({ code: 'CB-00-0403' });
    await expect(ask('CB-07-0134')).rejects.toMatchObject({ code: 'CB-07-0134' });
    await database.pool.query('update memberships set disabled_at = now() where user_id = $1', [
      person.userId,
    ]);
    await expect(ask()).rejects.toMatchObject({ code: 'CB-07-0008' });
    await database.pool.query('delete from memberships where user_id = $1', [person.userId]);
    await expect(ask()).rejects.toMatchObject({ code: 'CB-07-0008' });
  });

  it('can’t be revoked before that transaction ends', async () => {
    const order: string[] = [];
    let removal: Promise<unknown> | undefined;
    await inTransaction(database.pool, async (tx) => {
      await requirePermission(tx, { ...right, orgId: org.id, userId: person.userId });
      removal = database.pool
        .query('delete from memberships where user_id = $1', [person.userId])
        .then(() => order.push('removed'));
      await waitForBlockedStatements(database.pool);
      order.push('written');
    });
    await removal;
    expect(order).toEqual(['written', 'removed']);
  });
});
