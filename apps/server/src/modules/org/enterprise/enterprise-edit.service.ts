import { isAdmin } from '@simcube/contract';
import type { Enterprise, SecuritySettings, SmsQuota } from '@simcube/contract/org';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { changedFields, recordAudit } from '../../audit/index.ts';
import { normaliseAddress, normaliseNetwork } from '../admission/admission.addresses.ts';
import { lockMembership } from '../admission/admission.queries.ts';
import { requirePermission } from '../admission/admission.service.ts';
import { findSignInRuleViolations } from '../admission/admission.views.ts';
import { lockOrganisation } from '../memberships/seats.queries.ts';
import { type OrganisationChanges, updateOrganisation } from './enterprise.queries.ts';
import { type Reach, standingThere } from './enterprise.rules.ts';
import {
  checkCountry,
  checkQuota,
  getVisibleOrganisation,
  managePermission,
  type OrgCaller,
  type VisibleOrganisation,
} from './enterprise.service.ts';
import {
  capAbove,
  enterpriseOf,
  findInTree,
  isFirstLevel,
  ownQuota,
  type TreeOrganisation,
} from './enterprise.views.ts';

/** Omitted fields stay unchanged, those of `security` too. */
export interface EnterpriseEdit {
  code: string;
  name?: string | undefined;
  country?: string | undefined;
  sms_quota?: SmsQuota | undefined;
  security?: SecurityEdit | undefined;
}

type SecurityEdit = { [F in keyof SecuritySettings]?: SecuritySettings[F] | undefined };

const uniqueViolation = '23505';

export const createEnterpriseEdits = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => ({
  /**
   * Changes an organisation: the caller's own, one below it for its admins, or one in which the person is an
   * admin.
   * @throws Failure CB-07-0027, CB-07-0029, CB-07-0030, CB-07-0131, CB-07-0133 to CB-07-0135
   */
  async update(
    caller: OrgCaller,
    { actor, edit }: { actor: Actor; edit: EnterpriseEdit },
  ): Promise<Enterprise> {
    const normalised = normaliseEdit(edit);
    return inRepeatableTransaction(pool, async (tx) => {
      await requirePermission(tx, managePermission(caller));
      const { organisation, reach } = await lockVisibleOrganisation(tx, caller, edit.code);
      const changes = changesOf(organisation, normalised);
      checkChanges({ organisation, reach, changes, caller });
      await writeChanges(tx, organisation.id, changes);
      if (changes.security && reach !== 'below') await preventLockOut(tx, caller, organisation.id);
      const after = await findInTree(tx, { by: { id: organisation.id }, userId: caller.userId });
      if (!after) return fail('CB-07-0029');
      const changed = changedFields(factsOf(organisation), factsOf(after));
      if (changed) {
        await recordAudit(tx, {
          orgId: organisation.id,
          actor,
          at: clock.now(),
          subject: { kind: 'organisation', id: String(organisation.id), name: organisation.name },
          ...changed,
        });
      }
      return enterpriseOf(after, standingThere(reach, after, caller.org));
    });
  },
});

/**
 * The current organisation, and the membership by which the caller may edit it, both locked until the
 * transaction ends.
 */
const lockVisibleOrganisation = async (
  tx: Sql,
  caller: OrgCaller,
  code: string,
): Promise<VisibleOrganisation> => {
  const { organisation: found, reach } = await getVisibleOrganisation(tx, caller, code);
  if (reach === 'member') {
    const membership = await lockMembership(tx, { orgId: found.id, userId: caller.userId });
    if (!membership || !isAdmin(membership.role)) fail('CB-07-0134');
  }
  await lockOrganisation(tx, found.id);
  return getVisibleOrganisation(tx, caller, code);
};

/**
 * Normalises countries and networks.
 * @throws Failure CB-00-0400 at the field
 */
const normaliseEdit = ({ security, ...edit }: EnterpriseEdit): EnterpriseEdit => {
  if (edit.country !== undefined) checkCountry(edit.country);
  if (!security?.allowed_networks) return { ...edit, security };
  const networks = security.allowed_networks.map((network, index) => {
    const path = `security.allowed_networks.${index}`;
    return normaliseNetwork(network) ?? fail('CB-00-0400', { issues: [{ path, key: 'invalidFormat' }] });
  });
  return { ...edit, security: { ...security, allowed_networks: networks } };
};

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Only fields that would change: unchanged ones need no permission. */
const changesOf = (organisation: TreeOrganisation, edit: EnterpriseEdit): OrganisationChanges => {
  const { name, country, sms_quota } = edit;
  const security = securityAfter(organisation, edit);
  return {
    ...(name !== organisation.name && { name }),
    ...(country !== organisation.country && { country }),
    ...(sms_quota && !sameQuota(sms_quota, ownQuota(organisation)) && { quota: sms_quota }),
    ...(!sameSecurity(security, organisation.security) && { security }),
  };
};

const securityAfter = ({ security }: TreeOrganisation, edit: EnterpriseEdit): SecuritySettings => ({
  two_factor_required: edit.security?.two_factor_required ?? security.two_factor_required,
  session_idle_hours: edit.security?.session_idle_hours ?? security.session_idle_hours,
  session_hours: edit.security?.session_hours ?? security.session_hours,
  allowed_networks: edit.security?.allowed_networks ?? security.allowed_networks,
});

const sameQuota = (a: SmsQuota, b: SmsQuota): boolean =>
  a.kind === b.kind && (a.kind !== 'custom' || (b.kind === 'custom' && a.messages === b.messages));

const sameSecurity = (a: SecuritySettings, b: SecuritySettings): boolean =>
  isEqual(
    [a.two_factor_required, a.session_idle_hours, a.session_hours, sorted(a.allowed_networks)],
    [b.two_factor_required, b.session_idle_hours, b.session_hours, sorted(b.allowed_networks)],
  );

const sorted = (texts: readonly string[]): string[] => [...texts].sort((a, b) => a.localeCompare(b));

interface EditCheck {
  organisation: TreeOrganisation;
  reach: Reach;
  changes: OrganisationChanges;
  caller: OrgCaller;
}

/** Checks which fields may be changed from where. */
const checkChanges = ({ organisation, reach, changes, caller }: EditCheck): void => {
  if (changes.name !== undefined) {
    if (organisation.settlement) fail('CB-07-0133');
    const byOperator = reach === 'below' && organisation.lineage[0]?.id === caller.org.id;
    if (isFirstLevel(organisation) && !byOperator) fail('CB-07-0131');
  }
  if (changes.quota) {
    // The parent sets the quota; the topmost organisation has none.
    if (reach !== 'below' && organisation.parent) fail('CB-07-0134');
    checkQuota(changes.quota, capAbove(organisation));
  }
};

/** @throws Failure CB-07-0135 when the name is taken below the same parent */
export const writeChanges = async (tx: Sql, orgId: number, changes: OrganisationChanges): Promise<void> => {
  try {
    await updateOrganisation(tx, orgId, changes);
  } catch (error) {
    if ((error as { code?: unknown }).code === uniqueViolation) fail('CB-07-0135');
    throw error;
  }
};

/** A parent can correct a wrong setting; from within the organisation that would be impossible. */
const preventLockOut = async (
  tx: Sql,
  { userId, sessionBeganAt, address }: OrgCaller,
  orgId: number,
): Promise<void> => {
  const signInFacts = { userId, sessionBeganAt, orgId, address: normaliseAddress(address) };
  const violations = await findSignInRuleViolations(tx, signInFacts);
  if (violations?.addressRefused || violations?.twoFactorMissing) fail('CB-07-0027');
};

/** The facts of an organisation for the audit trail. */
const factsOf = (organisation: TreeOrganisation): Record<string, unknown> => ({
  name: organisation.name,
  country: organisation.country,
  sms_quota: ownQuota(organisation),
  ...organisation.security,
});
