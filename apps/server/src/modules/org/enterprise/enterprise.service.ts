import { randomInt } from 'node:crypto';
import { type endpoints, limits, type ResponseOf } from '@simcube/contract';
import type { Enterprise, Organisation, Remaining, SmsQuota } from '@simcube/contract/org';
import type pg from 'pg';
import type { Actor, OrgContext } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { requirePermission, requireSignInRulesOf } from '../admission/admission.service.ts';
import { countSeats, lockOrganisation } from '../memberships/seats.queries.ts';
import { hasMembershipSlot, takeMembershipSlot } from '../memberships/seats.service.ts';
import { isCountry } from '../tree/countries.rules.ts';
import {
  enrolOverseers,
  insertMembership,
  insertOrganisation,
  listMemberNames,
  type OrganisationRow,
  type OrganisationToInsert,
} from '../tree/org.queries.ts';
import { codeFromName, withSuffix } from '../tree/org-code.rules.ts';
import { exceeds, type SmsCap } from '../tree/sms-quota.rules.ts';
import { isNameTaken, lockMembershipsOf, markDefault } from './enterprise.queries.ts';
import { type Reach, reachOf, standingThere } from './enterprise.rules.ts';
import {
  capOf,
  enterpriseOf,
  findInTree,
  organisationOf,
  type TreeOrganisation,
} from './enterprise.views.ts';

/** The caller: person, organisation and address. */
export interface OrgCaller {
  userId: string;
  sessionBeganAt: Date | null;
  org: OrgContext;
  address: string;
}

export interface VisibleOrganisation {
  organisation: TreeOrganisation;
  reach: Reach;
}

/**
 * The permission to manage, which has a separate message in this area when it is missing (specification,
 * section 8).
 */
export const managePermission = ({ userId, org }: OrgCaller) =>
  ({ orgId: org.id, userId, key: 'account', action: 'write', refused: 'CB-07-0134' }) as const;

/**
 * An organisation that the caller may see. A member must meet its sign-in rules even when working in another
 * organisation.
 * @throws Failure CB-07-0029 for any other; CB-07-0036, CB-07-0037, CB-07-0038
 */
export const getVisibleOrganisation = async (
  sql: Sql,
  { userId, sessionBeganAt, org, address }: OrgCaller,
  code: string,
): Promise<VisibleOrganisation> => {
  const organisation = (await findInTree(sql, { by: { code }, userId })) ?? fail('CB-07-0029');
  const reach = reachOf(organisation, org) ?? fail('CB-07-0029');
  if (reach === 'member') {
    // An API key, which has no session, acts only in its own organisation.
    if (sessionBeganAt === null) fail('CB-07-0029');
    await requireSignInRulesOf(sql, { userId, sessionBeganAt, address, organisation });
  }
  return { organisation, reach };
};

/** @throws Failure CB-00-0400 at the field */
export const checkCountry = (country: string): void => {
  if (!isCountry(country)) fail('CB-00-0400', { issues: [{ path: 'country', key: 'notAllowed' }] });
};

/** @throws Failure CB-07-0030 at the field */
export const checkQuota = (quota: SmsQuota, parentCap: SmsCap): void => {
  if (parentCap === null || !exceeds(quota, parentCap)) return;
  fail('CB-07-0030', {
    issues: [
      quota.kind === 'custom'
        ? { path: 'sms_quota.messages', key: 'tooBig', values: { max: parentCap } }
        : { path: 'sms_quota.kind', key: 'notAllowed' },
    ],
  });
};

const remaining = (limit: number, used: number): Remaining => ({
  limit,
  used,
  remaining: Math.max(0, limit - used),
});

const subOrganisationLimit = (org: Pick<TreeOrganisation, 'subOrganisationLimit'>): number =>
  org.subOrganisationLimit ?? limits.subOrganisations;

/** What prevents another sub-organisation. */
type CreationLimit = NonNullable<ResponseOf<typeof endpoints.org.verifySubOrganisations>['limited_by']>;

/** Why the tree can't grow below it: it would be too wide or too deep. */
const limitBelow = (org: TreeOrganisation): CreationLimit | null => {
  if (org.children >= subOrganisationLimit(org)) return 'sub_organisations';
  return org.lineage.length >= limits.organisationLevels ? 'levels' : null;
};

export interface NewEnterprise {
  name: string;
  country: string;
  sms_quota: SmsQuota;
}

export const createEnterprises = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => ({
  async get(caller: OrgCaller, code: string): Promise<Enterprise> {
    const { organisation, reach } = await getVisibleOrganisation(pool, caller, code);
    return enterpriseOf(organisation, standingThere(reach, organisation, caller.org));
  },

  async limits(caller: OrgCaller, code: string) {
    const { organisation } = await getVisibleOrganisation(pool, caller, code);
    return {
      accounts: organisation.seatLimit ?? limits.seats,
      sub_organisations: subOrganisationLimit(organisation),
    };
  },

  async seats(caller: OrgCaller, code: string): Promise<Remaining> {
    const { organisation } = await getVisibleOrganisation(pool, caller, code);
    const used = await countSeats(pool, { orgId: organisation.id, now: clock.now() });
    return remaining(organisation.seatLimit ?? limits.seats, used);
  },

  async verifySubOrganisations(caller: OrgCaller, code: string) {
    const { organisation } = await getVisibleOrganisation(pool, caller, code);
    const limitedBy: CreationLimit | null =
      limitBelow(organisation) ?? ((await hasMembershipSlot(pool, caller.userId)) ? null : 'memberships');
    return {
      ...remaining(subOrganisationLimit(organisation), organisation.children),
      allowed: limitedBy === null,
      limited_by: limitedBy,
      sms_quota_messages: capOf(organisation),
    };
  },

  /**
   * Creates an organisation below the caller's. Concurrent calls are serialised by the lock of the parent's
   * row.
   * @throws Failure CB-07-0016, CB-07-0023, CB-07-0030, CB-07-0134, CB-07-0135
   */
  async create(
    caller: OrgCaller,
    { actor, body }: { actor: Actor; body: NewEnterprise },
  ): Promise<Organisation> {
    checkCountry(body.country);
    return inRepeatableTransaction(pool, async (tx) => {
      const { userId } = caller;
      await requirePermission(tx, managePermission(caller));
      await lockOrganisation(tx, caller.org.id);
      const parent = (await findInTree(tx, { by: { id: caller.org.id }, userId })) ?? fail('CB-07-0008');
      if (limitBelow(parent)) fail('CB-07-0016');
      checkQuota(body.sms_quota, capOf(parent));
      await takeMembershipSlot(tx, userId);
      const created = await insertWithFreeCode(tx, {
        name: body.name,
        country: body.country,
        quota: body.sms_quota,
        parentId: parent.id,
        logo: null,
        settlement: false,
      });
      await insertMembership(tx, { userId, orgId: created.id, role: 'admin', oversight: false });
      await enrolOverseers(tx, created.id);
      await recordAudit(tx, {
        orgId: parent.id,
        actor,
        at: clock.now(),
        subject: { kind: 'organisation', id: String(created.id), name: created.name },
        after: { code: created.code, ...body, admins: await listMemberNames(tx, created.id) },
      });
      const placed = await findInTree(tx, { by: { id: created.id }, userId });
      return organisationOf(placed ?? fail('CB-07-0029'), 'admin');
    });
  },

  /** @throws Failure CB-07-0029 when the person is not a member there */
  async chooseDefault(
    userId: string,
    { actor, orgId }: { actor: Actor; orgId: number },
  ): Promise<Organisation> {
    return inRepeatableTransaction(pool, async (tx) => {
      await lockMembershipsOf(tx, userId);
      const before = await findInTree(tx, { by: { id: orgId }, userId });
      if (!before?.ownRole || !(await markDefault(tx, { userId, orgId }))) return fail('CB-07-0029');
      if (!before.ownDefault) {
        await recordAudit(tx, {
          orgId,
          actor,
          at: clock.now(),
          subject: { kind: 'organisation', id: String(orgId), name: before.name },
          // The former default is no concern of this organisation.
          after: { default: true },
        });
      }
      return { ...organisationOf(before, before.ownRole), default: true };
    });
  },
});

const maxSuffixes = 5;

/** @throws Failure CB-07-0135 when the name is taken below the parent */
const insertWithFreeCode = async (
  tx: Sql,
  organisation: Omit<OrganisationToInsert, 'code'>,
): Promise<OrganisationRow> => {
  if (await isNameTaken(tx, organisation)) fail('CB-07-0135');
  const plain = codeFromName(organisation.name, organisation.country);
  const codes = [plain, ...Array.from({ length: maxSuffixes }, () => withSuffix(plain, randomInt))];
  for (const code of codes) {
    // Waits for a transaction that takes the same code or name, and then finds it taken.
    const created = await insertOrganisation(tx, { ...organisation, code });
    if (created) return created;
    if (await isNameTaken(tx, organisation)) fail('CB-07-0135');
  }
  throw new Error(`No free code was found for ${plain}`);
};
