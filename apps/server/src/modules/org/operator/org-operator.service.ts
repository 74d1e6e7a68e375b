import { limits } from '@simcube/contract';
import { organisationNameSchema } from '@simcube/contract/org';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { changedFields, operatorActor, recordAudit } from '../../audit/index.ts';
import { type LimitChanges, updateLimits } from '../enterprise/enterprise.queries.ts';
import {
  capOf,
  findPlaced,
  isFirstLevel,
  ownQuota,
  type PlacedOrganisation,
  pays,
} from '../enterprise/enterprise.views.ts';
import { writeNamed } from '../enterprise/enterprise-edit.service.ts';
import { removeOrganisation } from '../enterprise/enterprise-removal.service.ts';
import { countSeats, lockOrganisation } from '../memberships/seats.queries.ts';
import { listMemberNames, type OrganisationRow } from '../tree/org.queries.ts';
import { problemsOf } from '../tree/org.rules.ts';
import { createOrg, type NewOrganisation, OrganisationRefused } from './org.service.ts';

/** Operations at the command line: on any organisation, and audited like all others. */
export const createOrgOperation = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => {
  const { createOrganisation } = createOrg({ pool });

  /** The organisation, locked until the transaction ends. */
  const hold = async (tx: Sql, code: string): Promise<PlacedOrganisation> => {
    const found = await getPlaced(tx, code);
    await lockOrganisation(tx, found.id);
    return getPlaced(tx, code);
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
      facts: (org: PlacedOrganisation) => Record<string, unknown>;
      write: (tx: Sql, org: PlacedOrganisation) => Promise<void>;
    },
  ): Promise<PlacedOrganisation> =>
    inRepeatableTransaction(pool, async (tx) => {
      const before = await hold(tx, code);
      await write(tx, before);
      const after = await getPlaced(tx, code);
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
      const org = await getPlaced(pool, code);
      const seatsUsed = await countSeats(pool, { orgId: org.id, now: clock.now() });
      return {
        code: org.code,
        name: org.name,
        country: org.country,
        tenantId: org.tenantId,
        parent: org.parent?.code ?? null,
        firstLevel: isFirstLevel(org),
        settlement: pays(org),
        nameFixed: org.settlement,
        createdAt: org.createdAt.toISOString(),
        ...limitsOf(org),
        seatsUsed,
        subOrganisationsUsed: org.children,
        smsQuota: ownQuota(org),
        smsQuotaMessages: capOf(org),
        security: org.security,
      };
    },

    /** The parent's limits apply to its admins; the operator is not bound by them. */
    create: (wanted: NewOrganisation): Promise<OrganisationRow> =>
      inRepeatableTransaction(pool, async (tx) => {
        const made = await createOrganisation(tx, wanted);
        const { code, country, settlement = false } = wanted;
        const ofPlace = limitFacts(await getPlaced(tx, code));
        const admins = await listMemberNames(tx, made.id);
        await recordAudit(tx, {
          orgId: made.parentId,
          actor: operatorActor(),
          at: clock.now(),
          subject: { kind: 'organisation', id: String(made.id), name: made.name },
          after: { code, name: made.name, country, settlement, ...ofPlace, admins },
          action: 'organisation.created',
        });
        return made;
      }),

    /** Existing things stay, even above a lowered limit. */
    setLimits: (code: string, changes: LimitChanges): Promise<PlacedOrganisation> =>
      change(code, {
        action: 'organisation.limits-changed',
        facts: limitFacts,
        write: (tx, org) => updateLimits(tx, org.id, changes),
      }),

    /** @throws Failure CB-07-0133, CB-07-0135; OrganisationRefused for an invalid name */
    rename: (code: string, wanted: string): Promise<PlacedOrganisation> =>
      change(code, {
        action: 'organisation.updated',
        facts: (org) => ({ name: org.name }),
        write: async (tx, org) => {
          const problems = problemsOf({ ...org, name: wanted });
          if (problems.length > 0) throw new OrganisationRefused(problems.join('\n'));
          const name = organisationNameSchema.parse(wanted);
          if (org.settlement && name !== org.name) fail('CB-07-0133');
          await writeNamed(tx, org.id, { name });
        },
      }),

    /** @throws Failure CB-07-0132 */
    remove: (code: string): Promise<void> =>
      inRepeatableTransaction(pool, async (tx) => {
        const organisation = await getPlaced(tx, code);
        await removeOrganisation(tx, { organisation, actor: operatorActor(), at: clock.now() });
      }),
  };
};

const getPlaced = async (sql: Sql, code: string): Promise<PlacedOrganisation> => {
  const found = await findPlaced(sql, { wanted: { code }, userId: null });
  if (!found) throw new OrganisationRefused(`There is no organisation ${code}`);
  return found;
};

export const limitsOf = (org: PlacedOrganisation) => ({
  seats: org.seatLimit ?? limits.seats,
  subOrganisations: org.subOrganisationLimit ?? limits.subOrganisations,
});

/** The limits as the audit trail names them. */
const limitFacts = (org: PlacedOrganisation): Record<string, unknown> => {
  const { seats, subOrganisations } = limitsOf(org);
  return { seats, sub_organisations: subOrganisations };
};
