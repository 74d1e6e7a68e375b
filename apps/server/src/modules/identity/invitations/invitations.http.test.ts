import { endpoints, type Language, limits, type Role } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../platform/log/index.ts';
import {
  emailOf,
  expectFailure,
  freshEmail,
  invitationTokenFor,
  makeOtherCustomer,
  testInvitations,
  unknownFields,
} from '../../../testing/accounts.ts';
import { anonymous, makeOrganisation, signedInAs, testPassword } from '../../../testing/app.ts';
import { takeMails } from '../../../testing/mail.ts';

const { invite, readInvitation, revokeInvitation, signInInvited } = endpoints.identity;
const { test, operator, org, accept, ...signedIn } = await testInvitations();
// Their sessions end when the clock is moved by days.
let { admin } = signedIn;
let superadmin = await signedInAs(test, 'superadmin', org);

afterAll(() => test.close());

const wish = (email: string, more: { role?: Role; language?: Language; oversight?: boolean } = {}) => ({
  body: { email, role: 'operator', language: 'en-US', ...more } as const,
});

const invited = async (
  email: string,
  more: Parameters<typeof wish>[1] = {},
): Promise<{ id: string; token: string }> => {
  const answer = await superadmin.call(invite, wish(email, more));
  expect(answer.http).toBe(200);
  return { id: answer.body.data.id, token: await invitationTokenFor(test, email) };
};

const seatsTaken = async (): Promise<number> =>
  (
    await test.database.pool.query(
      `select (select count(*)::int from memberships where org_id = $1)
         + (select count(*)::int from invitations where org_id = $1 and status = 'pending') as seats`,
      [org.id],
    )
  ).rows[0].seats;

describe('an invitation', () => {
  it('is mailed in the language of its recipient, with a link whose token is sent to no server', async () => {
    const email = freshEmail();
    await admin.call(invite, wish(email, { language: 'es-ES' }));
    const mail = (await takeMails(test)).findLast(({ to }) => to === email);
    expect(mail?.link?.pathname).toBe('/es-ES/login');
    expect(mail?.link?.search).toBe('');
    expect(mail?.link?.hash).toMatch(/^#invitation=sci_[\w-]{43}$/);
    expect(mail?.text).toContain('northwind Limited');
    expect(mail?.text).toContain('admin Tester');
  });

  it('can give oversight only where it has an effect', async () => {
    const below = await makeOrganisation(test, { code: 'below-northwind', parentCode: org.code });
    const chief = await signedInAs(test, 'superadmin', below);
    const email = freshEmail();
    expectFailure(await chief.call(invite, wish(email, { oversight: true })), 'CB-07-0035');
    expect((await chief.call(invite, wish(email))).http).toBe(200);
    const again = freshEmail();
    const asSuperadmin = wish(again, { oversight: true, role: 'superadmin' });
    expect((await chief.call(invite, asSuperadmin)).http).toBe(200);
    expect((await admin.call(invite, wish(freshEmail(), { oversight: true }))).http).toBe(200);
  });

  it('is stored without its token, nor is the token in the audit trail', async () => {
    const { token } = await invited(freshEmail());
    for (const table of ['invitations', 'audit_entries', 'outbox']) {
      const { rows } = await test.database.pool.query(`select to_jsonb(t)::text as text from ${table} t`);
      expect(rows.map((row) => row.text).join()).not.toContain(token);
    }
  });

  it('shows its holder what the invitation is for', async () => {
    const email = freshEmail();
    const { token } = await invited(email, { role: 'user', language: 'zh-TW' });
    const { http, body } = await anonymous(test).call(readInvitation, { body: { token } });
    expect(http).toBe(200);
    expect(body.data).toEqual({
      email,
      organisation: 'northwind Limited',
      inviter: 'superadmin Tester',
      role: 'user',
      language: 'zh-TW',
      expires_at: '2026-11-28T12:00:00.000Z',
      known: false,
      first_name: '',
      last_name: '',
    });
  });

  it('with an unknown token is not valid, whatever the token looks like', async () => {
    for (const token of [`sci_${'A'.repeat(43)}`, 'x'.repeat(100), "' or true; -- 12345678"]) {
      expectFailure(await anonymous(test).call(readInvitation, { body: { token } }), 'CB-07-0011');
      expectFailure(await accept(token), 'CB-07-0011');
      const body = { token, password: testPassword, agreement: true };
      expectFailure(await anonymous(test).call(signInInvited, { body }), 'CB-07-0011');
    }
  });

  it('that is sent again has a new link, voids the old one, and takes no second seat', async () => {
    const email = freshEmail();
    const first = await invited(email);
    const seats = await seatsTaken();
    const again = await superadmin.call(invite, wish(email.toUpperCase(), { role: 'user' }));
    expect(again.body.data.id).toBe(first.id);
    const token = await invitationTokenFor(test, email);
    expect(await seatsTaken()).toBe(seats);
    expectFailure(await accept(first.token), 'CB-07-0011');
    const { body } = await anonymous(test).call(readInvitation, { body: { token } });
    expect(body.data).toMatchObject({ role: 'user', email });
  });

  it('expires after seven days, and may be sent again', async () => {
    const email = freshEmail();
    const { id, token } = await invited(email);
    test.clock.advance(7 * dayMs - 1);
    expect((await anonymous(test).call(readInvitation, { body: { token } })).http).toBe(200);
    test.clock.advance(1);
    const late = await signedInAs(test, 'admin', org);
    expectFailure(await anonymous(test).call(readInvitation, { body: { token } }), 'CB-07-0011');
    expectFailure(await accept(token), 'CB-07-0011');
    expectFailure(await late.call(revokeInvitation, { query: { invitationId: id } }), 'CB-07-0012');
    const { body } = await late.call(endpoints.account.list, {
      params: { partnerCode: org.code },
      query: { search: email },
    });
    expect(body.total_count).toBe(0);
    expect((await late.call(invite, wish(email))).http).toBe(200);
    expect((await accept(await invitationTokenFor(test, email))).http).toBe(200);
    [admin, superadmin] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'superadmin', org)];
  });

  it('is revoked: its link is void, its seat is free, and it can be revoked once', async () => {
    const { id, token } = await invited(freshEmail());
    const seats = await seatsTaken();
    expect((await admin.call(revokeInvitation, { query: { invitationId: id } })).http).toBe(200);
    expect(await seatsTaken()).toBe(seats - 1);
    expectFailure(await accept(token), 'CB-07-0011');
    expectFailure(await admin.call(revokeInvitation, { query: { invitationId: id } }), 'CB-07-0012');
  });

  it('of another organisation, or of none, is not found', async () => {
    const other = await makeOtherCustomer(test, operator);
    const stranger = await signedInAs(test, 'superadmin', other);
    const { id } = await invited(freshEmail());
    for (const invitationId of [id, '00000000-0000-4000-8000-000000000000']) {
      expectFailure(await stranger.call(revokeInvitation, { query: { invitationId } }), 'CB-00-0404');
    }
    expect((await admin.call(revokeInvitation, { query: { invitationId: id } })).http).toBe(200);
  });

  it('to a member, or with a role above the sender’s, is rejected', async () => {
    expectFailure(await admin.call(invite, wish(await emailOf(test, superadmin))), 'CB-07-0017');
    expectFailure(await admin.call(invite, wish(freshEmail(), { role: 'superadmin' })), 'CB-07-0019');
    for (const role of ['user', 'operator'] as const) {
      const member = await signedInAs(test, role, org);
      expectFailure(await member.call(invite, wish(freshEmail())), 'CB-00-0403');
    }
  });

  it('as superadmin is renewed and revoked by superadmins, not by admins', async () => {
    const email = freshEmail();
    const { id } = await invited(email, { role: 'superadmin' });
    expectFailure(await admin.call(invite, wish(email, { role: 'user' })), 'CB-07-0018');
    expectFailure(await admin.call(revokeInvitation, { query: { invitationId: id } }), 'CB-07-0018');
    expect((await superadmin.call(revokeInvitation, { query: { invitationId: id } })).http).toBe(200);
  });

  it('is deleted a day after its end, with its first password', async () => {
    const email = freshEmail();
    const names = { first_name: 'Given', last_name: 'Name', locale: 'en-US' } as const;
    const body = { ...names, email, role: 'user', password: 'first-Pa1!' } as const;
    await admin.call(endpoints.account.create, { body });
    const kept = async () =>
      (await test.database.pool.query('select 1 from invitations where email = $1', [email])).rowCount;
    const purge = async () => {
      const found = test.wiring.jobs.find(({ job }) => job.name === 'identity.purge-sessions');
      const log = createLog({ level: 'silent', format: 'json' });
      await found?.handle({}, { signal: new AbortController().signal, log, attempt: 1 });
    };
    test.clock.advance(8 * dayMs);
    await purge();
    expect(await kept()).toBe(1);
    test.clock.advance(1);
    await purge();
    expect(await kept()).toBe(0);
    [admin, superadmin] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'superadmin', org)];
  });

  it('is sent again a limited number of times a day; then the response says when to retry', async () => {
    const email = freshEmail();
    for (let sent = 0; sent < limits.invitationMails.sameInvitation; sent += 1) {
      expect((await admin.call(invite, wish(email))).http).toBe(200);
    }
    const refused = await admin.call(invite, wish(email));
    expectFailure(refused, 'CB-07-0033');
    expect(refused.headers['retry-after']).toBe(String(dayMs / 1000));
    expect((await takeMails(test)).filter(({ to }) => to === email)).toHaveLength(
      limits.invitationMails.sameInvitation,
    );
    test.clock.advance(dayMs);
    admin = await signedInAs(test, 'admin', org);
    expect((await admin.call(invite, wish(email))).http).toBe(200);
  });

  it('is limited per address and day, across all inviters', async () => {
    const email = freshEmail();
    const { sameAddress, sameInvitation } = limits.invitationMails;
    for (let sent = 0; sent < sameAddress; sent += sameInvitation) {
      const inviter = await signedInAs(test, 'admin', await makeOtherCustomer(test, operator));
      for (let one = 0; one < Math.min(sameInvitation, sameAddress - sent); one += 1)
        expect((await inviter.call(invite, wish(email))).http).toBe(200);
    }
    const refused = await admin.call(invite, wish(email));
    expectFailure(refused, 'CB-07-0033');
    expect(refused.headers['retry-after']).toBe(String(dayMs / 1000));
    // Other addresses are not affected.
    expect((await admin.call(invite, wish(freshEmail()))).http).toBe(200);
    test.clock.advance(dayMs);
    admin = await signedInAs(test, 'admin', org);
    expect((await admin.call(invite, wish(email))).http).toBe(200);
  });

  it('is limited per organisation and hour', async () => {
    const busy = await makeOtherCustomer(test, operator);
    const inviter = await signedInAs(test, 'admin', busy);
    const { sameInvitation, sameOrganisation } = limits.invitationMails;
    // Fewer people than seats, each invited as often as allowed.
    const emails = Array.from({ length: Math.ceil(sameOrganisation / sameInvitation) }, freshEmail);
    for (let sent = 0; sent < sameOrganisation; sent += 1) {
      const email = emails[sent % emails.length] ?? '';
      expect((await inviter.call(invite, wish(email))).http).toBe(200);
    }
    const refused = await inviter.call(invite, wish(freshEmail()));
    expectFailure(refused, 'CB-07-0033');
    expect(refused.headers['retry-after']).toBe('3600');
    const elsewhere = await signedInAs(test, 'admin', await makeOtherCustomer(test, operator));
    expect((await elsewhere.call(invite, wish(freshEmail()))).http).toBe(200);
    test.clock.advance(dayMs / 24);
    expect((await inviter.call(invite, wish(freshEmail()))).http).toBe(200);
    [admin, superadmin] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'superadmin', org)];
  });

  it('accepts no unknown fields', async () => {
    const email = freshEmail();
    const extra = {
      status: 'accepted',
      org_id: operator.id,
      token_hash: 'x',
      invited_by: admin.userId,
      expires_at: 'x',
    };
    const body = { ...wish(email).body, ...extra };
    expect(unknownFields(await admin.call(invite, {}, { raw: { body } }))).toEqual(Object.keys(extra));
    const { rows } = await test.database.pool.query('select * from invitations where email = $1', [email]);
    expect(rows).toEqual([]);
  });
});
