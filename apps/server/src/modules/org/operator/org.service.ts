import { limits, type Role } from '@simcube/contract';
import { organisationNameSchema, type SmsQuota } from '@simcube/contract/org';
import type pg from 'pg';
import type { Sql } from '../../../platform/db/index.ts';
import { plainAddress } from '../admission/admission.addresses.ts';
import { refuseUnmet } from '../admission/admission.service.ts';
import { type Demanded, findUnmetDemands, listMemberships } from '../admission/admission.views.ts';
import { updateLimits } from '../enterprise/enterprise.queries.ts';
import { findPlaced } from '../enterprise/enterprise.views.ts';
import { findAdministered } from '../memberships/memberships.views.ts';
import {
  enrolOverseers,
  findOrganisation,
  insertMembership,
  insertOrganisation,
  type NewMembership,
  type OrganisationRow,
  raiseToSuperadmin,
} from '../tree/org.queries.ts';
import { type OrganisationFacts, problemsOf } from '../tree/org.rules.ts';

/** Maximum number of organisations in the sign-in response; the switcher shows ten, its page lists all. */
const membershipsAtSignIn = 200;

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
  memberships: (userId: string) => listMemberships(pool, { userId, limit: membershipsAtSignIn }),

  findOrganisation,

  /** @throws OrganisationRefused */
  async createOrganisation(tx: Sql, wanted: NewOrganisation): Promise<OrganisationRow> {
    const problems = problemsOf(wanted);
    if (problems.length > 0) throw new OrganisationRefused(problems.join('\n'));
    const parent =
      wanted.parentCode === undefined ? undefined : await findOrganisation(tx, wanted.parentCode);
    if (wanted.parentCode !== undefined && !parent) {
      throw new OrganisationRefused(`There is no organisation ${wanted.parentCode}`);
    }
    if (parent && (await countLevels(tx, parent.id)) >= limits.organisationLevels) {
      throw new OrganisationRefused(
        `${parent.code} is at the lowest level: it cannot have organisations below it`,
      );
    }
    const { code, country, logo = null, settlement = false, quota = { kind: 'inherit' } } = wanted;
    const name = organisationNameSchema.parse(wanted.name);
    const parentId = parent?.id ?? null;
    const made = await insertOrganisation(tx, { code, name, country, logo, settlement, quota, parentId });
    if (!made) {
      const taken = (await findOrganisation(tx, code))
        ? `Organisation ${code}`
        : `An organisation named ${name}`;
      throw new OrganisationRefused(`${taken} already exists`);
    }
    const { seats, subOrganisations } = wanted;
    await updateLimits(tx, made.id, { seats, subOrganisations });
    await enrolOverseers(tx, made.id);
    return made;
  },

  /** @returns false when the person is a member already */
  addMembership: (tx: Sql, membership: NewMembership): Promise<boolean> => insertMembership(tx, membership),

  /**
   * An organisation in which a person is an admin; any one for the operator at the command line.
   * @throws Failure CB-00-0502, CB-07-0024, CB-07-0026 if the call does not meet its sign-in rules
   */
  async findAdministered({
    code,
    isOperator,
    address,
    ...person
  }: Demanded & { code: string; isOperator: boolean }) {
    if (isOperator) return findOrganisation(pool, code);
    const found = await findAdministered(pool, { userId: person.userId, code });
    if (!found) return undefined;
    const demanded = { ...person, address: address && plainAddress(address), orgId: found.id };
    const unmet = await findUnmetDemands(pool, demanded);
    if (!unmet) return undefined;
    refuseUnmet(unmet);
    return found;
  },

  /** @returns false when the person is already a superadmin there, or is disabled there */
  makeSuperadmin: async (
    tx: Sql,
    { userId, orgId }: { userId: string; orgId: number },
  ): Promise<{ formerRole?: Role } | false> => {
    if (await insertMembership(tx, { userId, orgId, role: 'superadmin', oversight: true })) return {};
    const formerRole = await raiseToSuperadmin(tx, { userId, orgId });
    return formerRole ? { formerRole } : false;
  },
});

const countLevels = async (sql: Sql, id: number): Promise<number> =>
  (await findPlaced(sql, { wanted: { id }, userId: null }))?.line.length ?? 0;
