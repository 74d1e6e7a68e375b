import { createHash } from 'node:crypto';
import { limits } from '@simcube/contract';
import { organisationNameSchema } from '@simcube/contract/org';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { changedFields, operatorActor, recordAudit } from '../../audit/index.ts';
import { type LimitChanges, updateLimits, updateLogo } from '../enterprise/enterprise.queries.ts';
import {
  capOf,
  findInTree,
  isFirstLevel,
  isSettlementCustomer,
  ownQuota,
  type TreeOrganisation,
} from '../enterprise/enterprise.views.ts';
import { writeChanges } from '../enterprise/enterprise-edit.service.ts';
import { type RemovalOptions, removeOrganisation } from '../enterprise/enterprise-removal.service.ts';
import { countSeats, lockOrganisation } from '../memberships/seats.queries.ts';
import { listMemberNames, type OrganisationRow } from '../tree/org.queries.ts';
import { problemsOf } from '../tree/org.rules.ts';
import { createOrg, type NewOrganisation, OrganisationRefused } from './org.service.ts';

/** Operations at the command line: on any organisation, and audited like all others. */
export const createOrgOperation = ({ pool, clock, hasUnbilledCharges }: RemovalOptions) => {
  const { createOrganisation } = createOrg({ pool });

  /** The organisation, locked until the transaction ends. */
  const lockByCode = async (tx: Sql, code: string): Promise<TreeOrganisation> => {
    const found = await getInTree(tx, code);
    await lockOrganisation(tx, found.id);
    return getInTree(tx, code);
  };

  /** Makes the change and records which of these facts it changed. */
  const change = async (
    code: string,
    {
      action,
      facts,
      write,
    }: {
      action: 'organisation.updated' | 'organisation.limits-changed';
      facts: (org: TreeOrganisation) => Record<string, unknown>;
      write: (tx: Sql, org: TreeOrganisation) => Promise<void>;
    },
  ): Promise<TreeOrganisation> =>
    inRepeatableTransaction(pool, async (tx) => {
      const before = await lockByCode(tx, code);
      await write(tx, before);
      const after = await getInTree(tx, code);
      const changed = changedFields(facts(before), facts(after));
      if (changed) {
        const subject = { kind: 'organisation', id: String(after.id), name: after.name } as const;
        const at = clock.now();
        await recordAudit(tx, { orgId: after.id, actor: operatorActor(), at, subject, ...changed, action });
      }
      return after;
    });

  return {
    async show(code: string) {
      const org = await getInTree(pool, code);
      const seatsUsed = await countSeats(pool, { orgId: org.id, now: clock.now() });
      return {
        code: org.code,
        name: org.name,
        country: org.country,
        tenantId: org.tenantId,
        parent: org.parent?.code ?? null,
        firstLevel: isFirstLevel(org),
        settlement: isSettlementCustomer(org),
        nameFixed: org.settlement,
        createdAt: org.createdAt.toISOString(),
        ...limitsOf(org),
        seatsUsed,
        subOrganisationsUsed: org.children,
        logo: org.logo !== null,
        smsQuota: ownQuota(org),
        smsQuotaMessages: capOf(org),
        security: org.security,
      };
    },

    /** The parent's limits apply to its admins; the operator is not bound by them. */
    create: (requested: NewOrganisation): Promise<OrganisationRow> =>
      inRepeatableTransaction(pool, async (tx) => {
        const created = await createOrganisation(tx, requested);
        const { code, country, settlement = false, logo } = requested;
        const createdLimits = limitFacts(await getInTree(tx, code));
        const admins = await listMemberNames(tx, created.id);
        await recordAudit(tx, {
          orgId: created.parentId,
          actor: operatorActor(),
          at: clock.now(),
          subject: { kind: 'organisation', id: String(created.id), name: created.name },
          after: {
            code,
            name: created.name,
            country,
            settlement,
            ...createdLimits,
            admins,
            ...(logo !== undefined && { logo: digestOf(logo) }),
          },
          action: 'organisation.created',
        });
        return created;
      }),

    /** Existing things stay, even above a lowered limit. */
    setLimits: (code: string, changes: LimitChanges): Promise<TreeOrganisation> =>
      change(code, {
        action: 'organisation.limits-changed',
        facts: limitFacts,
        write: (tx, org) => updateLimits(tx, org.id, changes),
      }),

    /** @throws Failure CB-07-0133, CB-07-0135; OrganisationRefused for an invalid name */
    rename: (code: string, requested: string): Promise<TreeOrganisation> =>
      change(code, {
        action: 'organisation.updated',
        facts: (org) => ({ name: org.name }),
        write: async (tx, org) => {
          const problems = problemsOf({ ...org, name: requested });
          if (problems.length > 0) throw new OrganisationRefused(problems.join('\n'));
          const name = organisationNameSchema.parse(requested);
          if (org.settlement && name !== org.name) fail('CB-07-0133');
          await writeChanges(tx, org.id, { name });
        },
      }),

    /** @param logo a data URL; null removes it */
    setLogo: (code: string, logo: string | null): Promise<TreeOrganisation> =>
      change(code, {
        action: 'organisation.updated',
        facts: (org) => ({ logo: org.logo && digestOf(org.logo) }),
        write: (tx, org) => updateLogo(tx, org.id, logo),
      }),

    /** @throws Failure CB-07-0132 */
    remove: (code: string): Promise<void> =>
      inRepeatableTransaction(pool, async (tx) => {
        const organisation = await getInTree(tx, code);
        const removal = { organisation, actor: operatorActor(), at: clock.now(), hasUnbilledCharges };
        await removeOrganisation(tx, removal);
      }),
  };
};

const getInTree = async (sql: Sql, code: string): Promise<TreeOrganisation> => {
  const found = await findInTree(sql, { by: { code }, userId: null });
  if (!found) throw new OrganisationRefused(`There is no organisation ${code}`);
  return found;
};

export const limitsOf = (org: TreeOrganisation) => ({
  seats: org.seatLimit ?? limits.seats,
  subOrganisations: org.subOrganisationLimit ?? limits.subOrganisations,
});

/** A logo as the audit trail names it. */
const digestOf = (logo: string): string => `SHA-256 ${createHash('sha256').update(logo).digest('hex')}`;

/** The limits as the audit trail names them. */
const limitFacts = (org: TreeOrganisation): Record<string, unknown> => {
  const { seats, subOrganisations } = limitsOf(org);
  return { seats, sub_organisations: subOrganisations };
};
