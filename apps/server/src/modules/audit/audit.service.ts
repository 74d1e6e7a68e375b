import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import type { AuditAction, AuditSubjectKind } from '@simcube/contract/audit';
import type { Actor } from '../../platform/access/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { hashOf } from './audit.chain.ts';
import { insertEntry, lockHead } from './audit.queries.ts';
import { recordableName, recordableValues, type StoredEntry } from './audit.rules.ts';

/** The chain of what concerns no organisation: people who belong nowhere, the installation itself. */
const installation = 0;

export interface NewAuditEntry {
  /** Null: the installation's own chain. */
  orgId: number | null;
  actor: Actor;
  at: Date;
  subject: { kind: AuditSubjectKind; id: string; name: string };
  /** The fields that changed, as they were; null for what was made. */
  before?: Record<string, unknown> | null;
  /** The same as they became; null for what was removed. */
  after?: Record<string, unknown> | null;
  /** The actor's own action when not said. */
  action?: AuditAction;
}

/**
 * Adds an entry to the organisation's chain, in the caller's transaction: no change without its entry, none without
 * the change. The end of the chain stays locked until that transaction ends, so call it last; entries of several
 * organisations go from the lowest id up, else two transactions could wait for each other.
 */
export const recordAudit = async (tx: Sql, entry: NewAuditEntry): Promise<void> => {
  const { actor, subject } = entry;
  const action = entry.action ?? actor.action;
  if (!action) throw new Error('A change without an audit action: its endpoint record names none');
  const orgId = entry.orgId ?? installation;
  const locked = await lockHead(tx, orgId, {
    at: entry.at,
    before: recordableValues(entry.before),
    after: recordableValues(entry.after),
    address: addressOf(actor),
  });
  if (!locked) throw new Error('The end of an audit chain could not be locked');
  const row: StoredEntry = {
    org_id: orgId,
    number: locked.head.number + 1,
    action,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: recordableName(actor.name),
    subject_kind: subject.kind,
    subject_id: recordableName(subject.id),
    subject_name: recordableName(subject.name),
    trace_id: actor.traceId === null ? null : recordableName(actor.traceId),
    ...locked.settled,
  };
  await insertEntry(tx, row, hashOf(locked.head.hash, row));
};

/** Behind a proxy the address is a text that others wrote; an IPv4 one is not shown in its IPv6 form. */
const addressOf = ({ address }: Actor): string | null => {
  const [bare = ''] = (address ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '').split('%', 1);
  return isIP(bare) ? bare : null;
};

/** The person at the command line, by the name of the system account. */
export const operatorActor = (): Actor => ({
  kind: 'operator',
  id: null,
  name: machineAccount(),
  address: null,
  traceId: null,
  action: undefined,
});

/** A user id without an entry in the machine's list (containers have such) has no name. */
const machineAccount = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
};
