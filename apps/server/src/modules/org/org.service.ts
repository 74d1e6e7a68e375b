import type pg from 'pg';
import type { Sql } from '../../platform/db/index.ts';
import { listMemberships } from './admission.views.ts';
import {
  enrolOverseers,
  findOrganisation,
  insertMembership,
  insertOrganisation,
  type NewMembership,
  type OrganisationRow,
} from './org.queries.ts';
import { type OrganisationFacts, problemsOf } from './org.rules.ts';

/** So many organisations come with the sign-in answer; the switcher shows ten, its page lists all. */
const membershipsAtSignIn = 200;

export interface NewOrganisation extends OrganisationFacts {
  /** None for the operator, who stands above all. */
  parentCode: string | undefined;
  logo?: string | undefined;
}

/** The organisation can't be made; the message says why. */
class OrganisationRefused extends Error {}

export const createOrg = ({ pool }: { pool: pg.Pool }) => ({
  /** The organisations of a person for the sign-in answer, the default one first. */
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
    const { code, name, country, logo = null } = wanted;
    const made = await insertOrganisation(tx, { code, name, country, logo, parentId: parent?.id ?? null });
    if (!made) throw new OrganisationRefused(`There is an organisation ${code} already`);
    await enrolOverseers(tx, made.id);
    return made;
  },

  /** @returns false when the person is a member already */
  addMembership: (tx: Sql, membership: NewMembership): Promise<boolean> => insertMembership(tx, membership),
});
