import { endpoints } from '@simcube/contract';
import { afterAll, describe, expect, it } from 'vitest';
import {
  emailOf,
  expectFailure,
  freshEmail,
  invitationTokenFor,
  makeOtherCustomer,
  newPerson,
  testInvitations,
} from '../../../testing/accounts.ts';
import { anonymous, signedInAs, testPassword } from '../../../testing/app.ts';

const { invite, readInvitation, signIn, signInInvited } = endpoints.identity;
const { test, operator, org, admin, accept } = await testInvitations();

afterAll(() => test.close());

const peopleWith = async (email: string): Promise<number> =>
  (await test.database.pool.query('select 1 from users where email = $1', [email])).rowCount ?? 0;

describe('an account created with a first password', () => {
  const create = (email: string, more: object = {}) =>
    admin.call(endpoints.account.create, {
      body: {
        email,
        role: 'user',
        locale: 'en-US',
        first_name: 'Given',
        last_name: 'Name',
        password: 'first-Pa1!',
        ...more,
      },
    });
  const signInAs = (email: string, password: string) =>
    anonymous(test).call(signIn, { body: { email, password, agreement: true } });

  it('creates the person when the email has been sent, not before', async () => {
    const email = freshEmail();
    expect((await create(email)).http).toBe(200);
    expectFailure(await signInAs(email, 'first-Pa1!'), 'CB-07-0009');
    expect(await peopleWith(email)).toBe(0);
    const token = await invitationTokenFor(test, email);
    const read = await anonymous(test).call(readInvitation, { body: { token } });
    expect(read.body.data).toMatchObject({ known: true, first_name: 'Given', last_name: 'Name' });
    const body = { token, password: 'first-Pa1!', agreement: true };
    const wrong = await anonymous(test).call(signInInvited, { body: { ...body, password: 'wrong-1!' } });
    expectFailure(wrong, 'CB-07-0001');
    expectFailure(await signInAs(email, 'first-Pa1!'), 'CB-07-0009');
    expect((await anonymous(test).call(signInInvited, { body })).body.data).toMatchObject({
      username: 'Given Name',
      loginsCount: 1,
    });
    const { rows } = await test.database.pool.query(
      'select password_hash from invitations where email = $1',
      [email],
    );
    expect(rows).toEqual([{ password_hash: null }]);
  });

  it('is accepted with it, or with another password', async () => {
    const [kept, changed] = [freshEmail(), freshEmail()];
    await create(kept);
    expect((await accept(await invitationTokenFor(test, kept), {})).http).toBe(200);
    expect((await signInAs(kept, 'first-Pa1!')).body.data.username).toBe('Given Name');
    await create(changed);
    await accept(await invitationTokenFor(test, changed));
    expectFailure(await signInAs(changed, 'first-Pa1!'), 'CB-07-0001');
    expect((await signInAs(changed, newPerson.password)).body.data.username).toBe('Ana Li');
  });

  it('never changes the password or name of a known person', async () => {
    const elsewhere = await makeOtherCustomer(test, operator);
    const email = await emailOf(test, await signedInAs(test, 'user', elsewhere));
    await create(email);
    const token = await invitationTokenFor(test, email);
    const body = { token, password: 'first-Pa1!', agreement: true };
    expectFailure(await anonymous(test).call(signInInvited, { body }), 'CB-07-0001');
    await accept(token, {});
    expectFailure(await signInAs(email, 'first-Pa1!'), 'CB-07-0001');
    expect((await signInAs(email, testPassword)).body.data.username).toBe('user Tester');
  });

  it('keeps it when the invitation is sent again, and loses it when created again without one', async () => {
    const email = freshEmail();
    await create(email);
    await admin.call(invite, { body: { email, role: 'operator', language: 'en-US' } });
    const hashOf = async () =>
      (await test.database.pool.query('select password_hash from invitations where email = $1', [email]))
        .rows[0].password_hash;
    expect(await hashOf()).toMatch(/^\$argon2id/);
    await create(email, { password: undefined });
    expect(await hashOf()).toBeNull();
  });
});

describe('the existence of an account for an address', () => {
  it('shows neither in the response to an invitation nor in the resulting account', async () => {
    const elsewhere = await makeOtherCustomer(test, operator);
    const known = await emailOf(test, await signedInAs(test, 'user', elsewhere));
    const shapes = [];
    for (const email of [known, freshEmail()]) {
      for (const password of [undefined, 'first-Pa1!']) {
        const names = { first_name: 'Given', last_name: 'Name' };
        const body = {
          email,
          role: 'user',
          locale: 'en-US',
          ...names,
          ...(password && { password }),
        } as const;
        const created = await admin.call(endpoints.account.create, { body });
        const sent = await admin.call(invite, { body: { email, role: 'operator', language: 'en-US' } });
        const { id } = sent.body.data;
        const list = await admin.call(endpoints.account.list, {
          params: { partnerCode: org.code },
          query: { search: email },
        });
        const one = await admin.call(endpoints.account.get, {
          params: { partnerCode: org.code, userId: id },
        });
        const text = JSON.stringify(
          [created, sent, list, one].map(({ http, body: envelope }) => [http, envelope]),
        );
        shapes.push(
          text
            .replaceAll(email, 'ADDRESS')
            .replaceAll(id, 'ID')
            .replaceAll(/"trace_id":"[^"]+"/g, ''),
        );
        expect(created.body.data.id).toBe(id);
      }
    }
    expect(new Set(shapes).size).toBe(1);
  });
});
