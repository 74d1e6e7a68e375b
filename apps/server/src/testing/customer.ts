import { endpoints, type RequestOf } from '@simcube/contract';
import { makeOrganisation, signedInAs, type TestClient, type TestResponse, testApp } from './app.ts';
import { insertTestOrganisation, type OrganisationFields } from './organisations.ts';

const { deleteEnterprise, updateEnterprise } = endpoints.org;
type Edit = Omit<RequestOf<typeof updateEnterprise>['body'], 'code'>;

/** The server with an operator, two customers of it, and people of the operator and of the first customer. */
export const testCustomer = async () => {
  const test = await testApp();
  const { pool } = test.database;
  const operator = await makeOrganisation(test, { code: 'OPERATOR' });
  const customer = await makeOrganisation(test, { code: 'CUSTOMER', parentCode: 'OPERATOR' });
  const stranger = await makeOrganisation(test, { code: 'STRANGER', parentCode: 'OPERATOR' });
  return {
    test,
    operator,
    customer,
    stranger,
    root: await signedInAs(test, 'admin', operator),
    admin: await signedInAs(test, 'admin', customer),
    user: await signedInAs(test, 'user', customer),

    below: (parent: { id: number }, fields: OrganisationFields = {}) =>
      insertTestOrganisation(pool, { ...fields, parentId: parent.id }),

    join: (client: TestClient, org: { id: number }, role: 'user' | 'admin') =>
      test.wiring.org.addMembership(pool, { userId: client.userId, orgId: org.id, role, oversight: false }),

    /** The audit trail of an organisation, the oldest entry first. */
    audit: async (orgId: number) =>
      (
        await pool.query(
          `select action, actor_id, subject_kind, subject_id, before, after from audit_entries
           where org_id = $1 order by number`,
          [orgId],
        )
      ).rows,

    /** The newest entry about an organisation. */
    lastEntry: async (orgId: number) =>
      (
        await pool.query(
          `select action, actor_id, subject_id, before, after from audit_entries
           where org_id = $1 and subject_kind = 'organisation' order by number desc limit 1`,
          [orgId],
        )
      ).rows[0],
  };
};

export const editEnterprise = (client: TestClient, org: { code: string }, body: Edit) =>
  client.call(updateEnterprise, { body: { code: org.code, ...body } });

export const removeEnterprise = (client: TestClient, org: { code: string }) =>
  client.call(deleteEnterprise, byCode(org.code));

export const byCode = (code: string) => ({ params: { orgCode: code } });

export const statusAndCode = ({ http, body }: TestResponse<unknown>) => [http, body.status.code];
