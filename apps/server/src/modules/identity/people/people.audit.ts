import type { Actor } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findHome } from './people.queries.ts';
import { nameOf } from './people.rules.ts';

type Entry = Parameters<typeof recordAudit>[1];

/**
 * What a person changed of their own account or sessions, or had changed by the operator. It is in the audit trail of their
 * default organisation; of who belongs nowhere, in the installation's.
 */
export const recordOwn = async (
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
    orgId: await findHome(tx, user.id),
    subject: subject ?? { kind: 'person', id: user.id, name: nameOf(user) },
  });
};
