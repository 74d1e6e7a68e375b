import { type Envelope, type ErrorCode, endpoints, errors, type Role } from '@simcube/contract';
import { expect } from 'vitest';
import {
  anonymous,
  clientOf,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from './app.ts';
import { takeMails } from './mail.ts';

export type Org = Awaited<ReturnType<typeof makeOrganisation>>;

/** The server with the operator's organisation. */
export const testOperator = async () => {
  const test = await testApp();
  return { test, operator: await makeOrganisation(test, { code: 'the-operator' }) };
};

/** The same with a customer whose admin invites, and helpers to accept an invitation. */
export const testInvitations = async () => {
  const { test, operator } = await testOperator();
  const org = await makeOrganisation(test, { code: 'northwind', parentCode: operator.code });
  return {
    test,
    operator,
    org,
    admin: await signedInAs(test, 'admin', org),
    accept: (token: string, more: object = { person: newPerson }) =>
      anonymous(test).call(endpoints.identity.acceptInvitation, {
        body: { token, agreement: true, ...more },
      }),
  };
};

export const newPerson = { first_name: 'Ana', last_name: 'Li', password: 'own-Pass1!' };

/** The common part of every response. */
export interface AnyResponse {
  http: number;
  body: Envelope<unknown>;
}

/** A first-level organisation with people, and an empty branch below it. */
export interface StaffedOrganisation {
  org: Org;
  below: Org;
  admin: TestClient;
  superadmin: TestClient;
  member: TestClient;
}

let organisations = 0;

export const makeStaffedOrganisation = async (test: TestApp, operator: Org): Promise<StaffedOrganisation> => {
  organisations += 1;
  const org = await makeOrganisation(test, { code: `customer-${organisations}`, parentCode: operator.code });
  return {
    org,
    below: await makeOrganisation(test, { code: `branch-${organisations}`, parentCode: org.code }),
    admin: await signedInAs(test, 'admin', org),
    superadmin: await signedInAs(test, 'superadmin', org),
    member: await signedInAs(test, 'user', org),
  };
};

/** Another customer of the operator. */
export const makeOtherCustomer = (test: TestApp, operator: Org): Promise<Org> => {
  organisations += 1;
  return makeOrganisation(test, { code: `other-${organisations}`, parentCode: operator.code });
};

let addresses = 0;

/** An unused email address. */
export const freshEmail = (): string => {
  addresses += 1;
  return `guest-${addresses}@example.test`;
};

export const expectFailure = (response: AnyResponse, code: ErrorCode): void => {
  expect([response.http, response.body.status.code]).toEqual([errors[code].http, code]);
};

/** The keys that a response rejects as unknown to its call. */
export const unknownFields = ({ http, body }: AnyResponse): string[] => {
  expect(http).toBe(400);
  const issues = body.status.detail?.issues ?? [];
  return issues.filter(({ key }) => key === 'unknownField').map(({ path }) => path);
};

export const byUserId = ({ userId }: { userId: string }) => ({ params: { userId } });

/** Addresses an account for reading. */
export const accountIn = ({ code: partnerCode }: Org, { userId }: { userId: string }) => ({
  params: { partnerCode, userId },
});

export const addMember = async (
  test: TestApp,
  { userId }: TestClient,
  { org, role }: { org: Org; role: Role },
): Promise<void> => {
  const membership = { userId, orgId: org.id, role, oversight: false };
  await test.wiring.org.addMembership(test.database.pool, membership);
};

/** The same person, acting in another organisation. */
export const actingIn = (test: TestApp, client: TestClient, to: Org): TestClient =>
  clientOf(test, {
    ...client,
    orgId: to.id,
    headers: { ...client.headers, 'tenant-id': to.tenantId, 'partner-code': to.code },
  });

export const emailOf = async (test: TestApp, { userId }: TestClient): Promise<string> =>
  (await test.database.pool.query('select email from users where id = $1', [userId])).rows[0].email;

/** The token of the newest invitation mailed to the address. */
export const invitationTokenFor = async (test: TestApp, email: string): Promise<string> => {
  const mail = (await takeMails(test)).findLast(({ to }) => to === email);
  return new URLSearchParams(mail?.link?.hash.slice(1)).get('invitation') ?? `no mail to ${email}`;
};

/** Every call that changes an account, applied to this one. */
export const everyChangeOf = (target: {
  userId: string;
}): ((client: TestClient) => Promise<AnyResponse>)[] => {
  const { account } = endpoints;
  const { userId } = target;
  const key = 'sim' as const;
  const names = { first_name: 'New', last_name: 'Name', locale: 'es-ES' } as const;
  return [
    (client) => client.call(account.update, { ...byUserId(target), body: { ...names, role: 'user' } }),
    (client) => client.call(account.remove, byUserId(target)),
    (client) => client.call(account.setOversight, { ...byUserId(target), body: { oversight: true } }),
    (client) => client.call(account.changeStatus, { ...byUserId(target), body: { status: 'disabled' } }),
    (client) => client.call(account.resetPassword, byUserId(target)),
    (client) => client.call(account.endSessions, byUserId(target)),
    (client) => client.call(account.changePermission, { params: { userId, key }, body: { actions: [] } }),
    (client) => client.call(account.removePermission, { params: { userId, key } }),
    (client) => client.call(account.removePermissions, { body: { userId, keys: [key] } }),
    (client) => client.call(account.namePermissions, { body: { userId, name: 'night shift' } }),
  ];
};

/** The audit entries about the account in the organisation, the oldest first. */
export const auditEntriesOn = async (test: TestApp, org: Org, { userId }: TestClient) =>
  (
    await test.database.pool.query(
      `select action, before, after from audit_entries
       where org_id = $1 and subject_id = $2 and subject_kind = 'account' order by number`,
      [org.id, userId],
    )
  ).rows;

/** How often the organisation's open consoles were notified about the account. */
export const accountChangedEvents = async (
  test: TestApp,
  org: Org,
  { userId }: TestClient,
): Promise<number> =>
  (
    await test.database.pool.query(
      `select 1 from outbox where topic = 'account.changed' and org_id = $1 and payload ->> 'userId' = $2`,
      [org.id, userId],
    )
  ).rowCount ?? 0;
