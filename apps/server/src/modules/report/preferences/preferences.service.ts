import { allows, type Language, type PermissionMap } from '@simcube/contract';
import { type ReportPreferences, type ReportPreferencesBody, reportKinds } from '@simcube/contract/report';
import type pg from 'pg';
import type { Actor, OrgContext } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { lockTarget } from '../../notify/index.ts';
import { lockOrganisation, requirePermission } from '../../org/index.ts';
import { nextDueMonth } from '../report.rules.ts';
import { savePreferences } from './preferences.queries.ts';
import { findPreferences, type Preferences } from './preferences.views.ts';

export const maySeeBills = (permissions: PermissionMap): boolean =>
  allows(permissions, 'customer-bill-cube', 'read');

interface PreferencesOptions {
  pool: pg.Pool;
  clock: Clock;
}

/** The defaults of a form if nothing has been set. */
interface Reader {
  org: OrgContext;
  language: Language;
  timeZone: string;
}

/** The reports that organisations receive each month. */
export const createPreferences = ({ pool, clock }: PreferencesOptions) => {
  const read = async ({ org, language, timeZone }: Reader): Promise<ReportPreferences> => {
    const { month, from, readyBy } = nextDueMonth(clock.now());
    const stored = await findPreferences(pool, org.id);
    return {
      kinds: [],
      formats: ['csv'],
      language,
      time_zone: timeZone,
      notify: [],
      changed_at: null,
      ...(stored && toPreferences(stored)),
      changeable: allows(org.permissions, 'sim-report-cube', 'write'),
      next: { month, from: from.toISOString(), ready_by: readyBy.toISOString() },
    };
  };

  return {
    read,
    /** @throws Failure CB-01-0014, CB-00-0403 for reports of cost without the permission to see bills, CB-09-0017 */
    set: async (
      reader: Reader & { userId: string; actor: Actor },
      input: ReportPreferencesBody,
    ): Promise<ReportPreferences> => {
      const { org, userId, actor } = reader;
      await inTransaction(pool, async (tx) => {
        const { permissions } = await requirePermission(tx, {
          orgId: org.id,
          userId,
          key: 'sim-report-cube',
          action: 'write',
          refused: 'CB-01-0014',
        });
        const hasCost = input.kinds.includes('cost');
        if (hasCost && !(maySeeBills(permissions) && maySeeBills(org.permissions))) fail('CB-00-0403');
        await lockOrganisation(tx, org.id);
        const notify = [...new Set(input.notify)];
        await requireGroups(tx, org.id, notify);
        const before = await findPreferences(tx, org.id);
        const at = clock.now();
        await savePreferences(tx, { ...input, notify, orgId: org.id, at });
        const after = await findPreferences(tx, org.id);
        await recordAudit(tx, {
          orgId: org.id,
          actor,
          at,
          subject: { kind: 'organisation', id: org.code, name: org.code },
          before: before ? auditedPreferences(before) : null,
          after: after ? auditedPreferences(after) : null,
        });
      });
      return read(reader);
    },
  };
};

const requireGroups = async (tx: Sql, orgId: number, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    if (!(await lockTarget(tx, { orgId, kind: 'email', id: Number(id) }))) fail('CB-09-0017');
  }
};

const toPreferences = ({ kinds, changed_at, ...rest }: Preferences) => ({
  ...rest,
  kinds: reportKinds.filter((kind) => kinds.some((one) => one.kind === kind)),
  changed_at: changed_at.toISOString(),
});

const auditedPreferences = (preferences: Preferences): Record<string, unknown> => {
  const { changed_at: _, notify, ...rest } = toPreferences(preferences);
  return { ...rest, notify: notify.map(({ name }) => name) };
};
