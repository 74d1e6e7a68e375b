import { limits, type Role } from '@simcube/contract';
import { organisationNameSchema, type SmsQuota } from '@simcube/contract/org';
import type pg from 'pg';
import type { Sql } from '../../../platform/db/index.ts';
import { requireSignInRulesOf } from '../admission/admission.service.ts';
import { listMemberships, type SignInFacts } from '../admission/admission.views.ts';
import { updateLimits } from '../enterprise/enterprise.queries.ts';
import { findInTree } from '../enterprise/enterprise.views.ts';
import { findAdministered } from '../memberships/memberships.views.ts';
import {
  enrolOverseers,
  findOrganisation,
  insertMembership,
  insertOrganisation,
  type NewMembership,
  type OrganisationRow,
  promoteToSuperadmin,
} from '../tree/org.queries.ts';
import { type OrganisationFacts, problemsOf } from '../tree/org.rules.ts';

export interface NewOrganisation extends OrganisationFacts {
  /** Undefined for the operator, which has no parent. */
  parentCode: string | undefined;
  logo?: string | undefined;
  /** Made a settlement customer: bills go to its name, which can no longer be edited. */
  settlement?: boolean | undefined;
  quota?: SmsQuota | undefined;
  /** Null or omitted: the default limit. */
  seats?: number | null | undefined;
  subOrganisations?: number | null | undefined;
}

/** The organisation can't be created; the message says why. */
export class OrganisationRefused extends Error {}

export const createOrg = ({ pool }: { pool: pg.Pool }) => ({
  /** The organisations of a person for the sign-in response, the default one first. */
  memberships: (userId: string) => listMemberships(pool, { userId, limit: limits.organisationsAtSignIn }),

  findOrganisation,

  /** @throws OrganisationRefused */
  async createOrganisation(tx: Sql, request: NewOrganisation): Promise<OrganisationRow> {
    const problems = problemsOf(request);
    if (problems.length > 0) throw new OrganisationRefused(problems.join('\n'));
    const parent =
      request.parentCode === undefined ? undefined : await findOrganisation(tx, request.parentCode);
    if (request.parentCode !== undefined && !parent) {
      throw new OrganisationRefused(`There is no organisation ${request.parentCode}`);
    }
    if (parent && (await countLevels(tx, parent.id)) >= limits.organisationLevels) {
      throw new OrganisationRefused(
        `${parent.code} is at the lowest level: it cannot have organisations below it`,
      );
    }
    const { code, country, logo = null, settlement = false, quota = { kind: 'inherit' } } = request;
    const name = organisationNameSchema.parse(request.name);
    const parentId = parent?.id ?? null;
    const created = await insertOrganisation(tx, { code, name, country, logo, settlement, quota, parentId });
    if (!created) {
      const conflict = (await findOrganisation(tx, code))
        ? `Organisation ${code}`
        : `An organisation named ${name}`;
      throw new OrganisationRefused(`${conflict} already exists`);
    }
    const { seats, subOrganisations } = request;
    await updateLimits(tx, created.id, { seats, subOrganisations });
    await enrolOverseers(tx, created.id);
    return created;
  },

  /** @returns false when the person is a member already */
  addMembership: (tx: Sql, membership: NewMembership): Promise<boolean> => insertMembership(tx, membership),

  /**
   * An organisation in which a person is an admin; any one for the operator at the command line.
   * @throws Failure CB-07-0036, CB-07-0037, CB-07-0038 if the call does not meet its sign-in rules
   */
  async findAdministered({
    code,
    isOperator,
    ...person
  }: SignInFacts & { code: string; isOperator: boolean }) {
    if (isOperator) return findOrganisation(pool, code);
    const found = await findAdministered(pool, { userId: person.userId, code });
    if (found) await requireSignInRulesOf(pool, { ...person, organisation: found });
    return found;
  },

  /** @returns false when the person is already a superadmin there, or is disabled there */
  makeSuperadmin: async (
    tx: Sql,
    { userId, orgId }: { userId: string; orgId: number },
  ): Promise<{ formerRole?: Role } | false> => {
    if (await insertMembership(tx, { userId, orgId, role: 'superadmin', oversight: true })) return {};
    const formerRole = await promoteToSuperadmin(tx, { userId, orgId });
    return formerRole ? { formerRole } : false;
  },
});

const countLevels = async (sql: Sql, id: number): Promise<number> =>
  (await findInTree(sql, { by: { id }, userId: null }))?.lineage.length ?? 0;
