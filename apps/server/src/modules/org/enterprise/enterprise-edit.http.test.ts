import { endpoints } from '@simcube/contract';
import type { SecuritySettings } from '@simcube/contract/org';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { signedInAs, type TestClient } from '../../../testing/app.ts';
import { editEnterprise, statusAndCode, testCustomer } from '../../../testing/customer.ts';
import type { TestOrganisation } from '../../../testing/organisations.ts';

const { getEnterprise, updateEnterprise } = endpoints.org;
const { test, operator, customer, stranger, root, admin, user, below, join, audit, lastEntry } =
  await testCustomer();

afterAll(() => test.close());

describe('an edit', () => {
  it('changes the named fields, and the audit trail records only those', async () => {
    const branch = await below(customer);
    const { http, body } = await editEnterprise(admin, branch, {
      name: ' Branch of the South ',
      country: 'ES',
      sms_quota: { kind: 'custom', messages: 300 },
    });
    expect(http).toBe(200);
    expect(body.data).toMatchObject({
      code: branch.code,
      name: 'Branch of the South',
      country: 'ES',
      sms_quota: { kind: 'custom', messages: 300 },
      sms_quota_messages: 300,
      role: 'admin',
    });
    expect(await lastEntry(branch.id)).toEqual({
      action: 'organisation.updated',
      actor_id: admin.userId,
      subject_id: String(branch.id),
      before: { name: `${branch.code} Limited`, country: 'DE', sms_quota: { kind: 'inherit' } },
      after: {
        name: 'Branch of the South',
        country: 'ES',
        sms_quota: { kind: 'custom', messages: 300 },
      },
    });
    await editEnterprise(admin, branch, { sms_quota: { kind: 'none' } });
    expect((await admin.call(getEnterprise, { params: { orgCode: branch.code } })).body.data).toMatchObject({
      name: 'Branch of the South',
      sms_quota: { kind: 'none' },
      sms_quota_messages: 0,
    });
  });

  it('that changes nothing needs no permission for the field, and leaves no entry', async () => {
    const { http } = await editEnterprise(admin, customer, {
      name: 'CUSTOMER Limited',
      country: 'DE',
      sms_quota: { kind: 'inherit' },
    });
    expect(http).toBe(200);
    expect(await lastEntry(customer.id)).toBeUndefined();
  });

  it('needs an admin, and an organisation that the caller may see', async () => {
    const branch = await below(customer);
    const refused = await editEnterprise(user, branch, { country: 'FR' });
    expect([...statusAndCode(refused), refused.body.resultCode]).toEqual([403, 'CB-07-0134', '0134']);
    for (const code of ['STRANGER', 'OPERATOR', 'NOBODY']) {
      expect(statusAndCode(await editEnterprise(admin, { code }, { country: 'FR' }))).toEqual([
        404,
        'CB-07-0029',
      ]);
    }
  });

  it('of another organisation requires an admin there', async () => {
    const guest = await signedInAs(test, 'admin', customer);
    const other = await below(stranger);
    await join(guest, other, 'user');
    expect(statusAndCode(await editEnterprise(guest, other, { country: 'FR' }))).toEqual([403, 'CB-07-0134']);
    await test.database.pool.query(`update memberships set role = 'admin' where org_id = $1`, [other.id]);
    expect((await editEnterprise(guest, other, { country: 'FR' })).body.data).toMatchObject({
      country: 'FR',
      role: 'admin',
    });
    expect(statusAndCode(await editEnterprise(guest, other, { sms_quota: { kind: 'none' } }))).toEqual([
      403,
      'CB-07-0134',
    ]);
  });

  it.each<[string, object, string, string]>([
    ['a short name', { name: 'Four' }, 'name', 'tooShort'],
    ['a country that is none', { country: 'XX' }, 'country', 'notAllowed'],
    ['a quota of nothing', { sms_quota: { kind: 'custom', messages: 0 } }, 'sms_quota.messages', 'tooSmall'],
  ])('is refused %s, at the field', async (_what, wrong, path, key) => {
    const { http, body } = await admin.call(
      updateEnterprise,
      {},
      { raw: { body: { code: 'CUSTOMER', ...wrong } } },
    );
    expect([http, body.status.code]).toEqual([400, 'CB-00-0400']);
    expect(body.status.detail?.issues).toEqual([expect.objectContaining({ path, key })]);
  });
});

describe('the name', () => {
  it('of a first-level customer is changed by the operator only', async () => {
    const refused = await editEnterprise(admin, customer, { name: 'Another name' });
    expect([...statusAndCode(refused), refused.body.resultCode]).toEqual([403, 'CB-07-0131', '0131']);
    const guest = await signedInAs(test, 'admin', stranger);
    await join(guest, customer, 'admin');
    expect(statusAndCode(await editEnterprise(guest, customer, { name: 'Another name' }))).toEqual([
      403,
      'CB-07-0131',
    ]);
    const first = await below(operator);
    const renamed = await editEnterprise(root, first, { name: `${first.code} renamed` });
    expect(renamed.body.data).toMatchObject({ settlement: true, name_fixed: false });
  });

  it('of one that was made a settlement customer can’t be changed', async () => {
    const payer = await below(operator, { settlement: true });
    const refused = await editEnterprise(root, payer, { name: 'Another name' });
    expect([...statusAndCode(refused), refused.body.resultCode]).toEqual([403, 'CB-07-0133', '0133']);
    expect((await editEnterprise(root, payer, { country: 'FR' })).body.data).toMatchObject({
      settlement: true,
      name_fixed: true,
      country: 'FR',
    });
  });

  it('is unique below one parent, regardless of case', async () => {
    const [one, two] = [await below(customer, { name: 'Northern Lights' }), await below(customer)];
    const taken = await editEnterprise(admin, two, { name: 'NORTHERN LIGHTS' });
    expect([...statusAndCode(taken), taken.body.resultCode]).toEqual([409, 'CB-07-0135', '0135']);
    expect((await editEnterprise(admin, one, { name: 'NORTHERN LIGHTS' })).http).toBe(200);
  });

  it('of the operator is changed by its own admins', async () => {
    expect((await editEnterprise(root, operator, { name: 'The operator itself' })).http).toBe(200);
  });
});

describe('the SMS quota', () => {
  it('is set by the parent, up to the parent’s own', async () => {
    const parent = await below(customer, { quota: { kind: 'custom', messages: 100 } });
    const child = await below(parent);
    const boss = await signedInAs(test, 'admin', parent);
    const own = await editEnterprise(boss, parent, { sms_quota: { kind: 'unlimited' } });
    expect([...statusAndCode(own), own.body.resultCode]).toEqual([403, 'CB-07-0134', '0134']);
    const tooMuch = await editEnterprise(boss, child, { sms_quota: { kind: 'custom', messages: 101 } });
    expect(statusAndCode(tooMuch)).toEqual([400, 'CB-07-0030']);
    expect(tooMuch.body.status.detail?.issues).toEqual([
      expect.objectContaining({ path: 'sms_quota.messages', values: { max: 100 } }),
    ]);
    expect(statusAndCode(await editEnterprise(boss, child, { sms_quota: { kind: 'unlimited' } }))).toEqual([
      400,
      'CB-07-0030',
    ]);
    expect((await editEnterprise(boss, child, { sms_quota: { kind: 'custom', messages: 100 } })).http).toBe(
      200,
    );
    // When the parent's falls, the child's setting stays, but its effective quota falls.
    expect((await editEnterprise(admin, parent, { sms_quota: { kind: 'custom', messages: 40 } })).http).toBe(
      200,
    );
    expect((await boss.call(getEnterprise, { params: { orgCode: child.code } })).body.data).toMatchObject({
      sms_quota: { kind: 'custom', messages: 100 },
      sms_quota_messages: 40,
    });
  });

  it('of the operator is set by itself', async () => {
    expect((await editEnterprise(root, operator, { sms_quota: { kind: 'unlimited' } })).http).toBe(200);
  });
});

describe('security settings', () => {
  const open: SecuritySettings = {
    two_factor_required: false,
    session_idle_hours: 12,
    session_hours: 168,
    allowed_networks: [],
  };
  let own: TestOrganisation;
  let boss: TestClient;

  beforeEach(async () => {
    own = await below(customer);
    boss = await signedInAs(test, 'admin', own);
  });

  it('apply from the next call on', async () => {
    // The calls of these tests come from 127.0.0.1.
    const security = {
      ...open,
      session_idle_hours: 1,
      allowed_networks: ['127.0.0.9/8', '2001:db8::1/32', '127.0.0.0/8', '::ffff:10.0.0.0/104'],
    };
    const { body } = await editEnterprise(boss, own, { security });
    expect(body.data.security).toEqual({
      ...security,
      allowed_networks: ['10.0.0.0/8', '127.0.0.0/8', '2001:db8::/32'],
    });
    const read = () => boss.call(getEnterprise, { params: { orgCode: own.code } });
    expect((await read()).http).toBe(200);
    await editEnterprise(admin, own, { security: { ...security, allowed_networks: ['192.0.2.0/24'] } });
    expect(statusAndCode(await read())).toEqual([403, 'CB-07-0026']);
    await editEnterprise(admin, own, { security: { ...open, two_factor_required: true } });
    expect(statusAndCode(await read())).toEqual([403, 'CB-07-0024']);
    await editEnterprise(admin, own, { security: open });
    expect((await read()).http).toBe(200);
  });

  it('that are omitted stay as another admin set them meanwhile', async () => {
    await editEnterprise(boss, own, { security: { session_idle_hours: 4 } });
    await editEnterprise(admin, own, { security: { allowed_networks: ['127.0.0.0/8'] } });
    const { body } = await editEnterprise(boss, own, { security: { session_hours: 24 } });
    expect(body.data.security).toEqual({
      two_factor_required: false,
      session_idle_hours: 4,
      session_hours: 24,
      allowed_networks: ['127.0.0.0/8'],
    });
    const entries = await audit(own.id);
    expect(entries.at(-1)).toMatchObject({ before: { session_hours: 168 }, after: { session_hours: 24 } });
    await editEnterprise(boss, own, { security: {} });
    expect(await audit(own.id)).toHaveLength(entries.length);
  });

  it('do not lock out the person who sets them for their own organisation', async () => {
    for (const wrong of [
      { ...open, allowed_networks: ['192.0.2.0/24', '::1/128'] },
      { ...open, two_factor_required: true },
    ]) {
      expect(statusAndCode(await editEnterprise(boss, own, { security: wrong }))).toEqual([
        400,
        'CB-07-0027',
      ]);
    }
    expect((await boss.call(getEnterprise, { params: { orgCode: own.code } })).body.data.security).toEqual(
      open,
    );
    await test.database.pool.query('update users set totp_enabled_at = now() where id = $1', [boss.userId]);
    const allowed = { ...open, two_factor_required: true, allowed_networks: ['127.0.0.1/32'] };
    expect((await editEnterprise(boss, own, { security: allowed })).http).toBe(200);
  });

  it('do not lock out a member of a sibling organisation either', async () => {
    const guest = await signedInAs(test, 'admin', stranger);
    await join(guest, own, 'admin');
    const wrong = { ...open, allowed_networks: ['192.0.2.0/24'] };
    expect(statusAndCode(await editEnterprise(guest, own, { security: wrong }))).toEqual([400, 'CB-07-0027']);
  });

  it.each<[string, object, string, string]>([
    ['no network', { allowed_networks: ['127.0.0.1'] }, 'security.allowed_networks.0', 'invalidFormat'],
    ['too many bits', { allowed_networks: ['10.0.0.0/33'] }, 'security.allowed_networks.0', 'invalidFormat'],
    [
      'half of the mapped addresses',
      { allowed_networks: ['127.0.0.0/8', '::ffff:1.2.3.4/90'] },
      'security.allowed_networks.1',
      'invalidFormat',
    ],
    [
      'too many networks',
      { allowed_networks: Array.from({ length: 51 }, (_, i) => `10.${i}.0.0/16`) },
      'security.allowed_networks',
      'tooMany',
    ],
    ['no hours', { session_hours: 0 }, 'security.session_hours', 'tooSmall'],
    ['too many hours', { session_idle_hours: 13 }, 'security.session_idle_hours', 'tooBig'],
  ])('are refused with %s, at the field', async (_what, wrong, path, key) => {
    const raw = { body: { code: own.code, security: { ...open, ...wrong } } };
    const { http, body } = await boss.call(updateEnterprise, {}, { raw });
    expect([http, body.status.code]).toEqual([400, 'CB-00-0400']);
    expect(body.status.detail?.issues).toEqual([expect.objectContaining({ path, key })]);
  });
});
