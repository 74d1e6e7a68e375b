import type { Actor } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findHomeOrganisation } from './people.queries.ts';
import { nameOf } from './people.rules.ts';

type Entry = Parameters<typeof recordAudit>[1];

/**
 * Records changes of a person's own account or sessions, made by the person or the operator, in the audit trail
 * of the default organisation; for people without an organisation, in the installation's.
 */
export const recordPersonAudit = async (
  tx: Sql,
  {
    user,
    subject,
    ...entry
  }: Omit<Entry, 'orgId' | 'subject'> & {
    user: { id: string; firstName: string; lastName: string };
    actor: Actor;
    subject?: Entry['subject'];
  },
): Promise<void> => {
  await recordAudit(tx, {
    ...entry,
    orgId: await findHomeOrganisation(tx, user.id),
    subject: subject ?? { kind: 'person', id: user.id, name: nameOf(user) },
  });
};
