import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import type { AuditAction, AuditSubjectKind } from '@simcube/contract/audit';
import type { Actor } from '../../platform/access/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { hashOf } from './audit.chain.ts';
import { insertEntry, lockHead } from './audit.queries.ts';
import { recordableName, recordableValues, type StoredEntry } from './audit.rules.ts';

/** The chain for what concerns no organisation: people without one, and the installation itself. */
const installation = 0;

export interface NewAuditEntry {
  /** Null: the installation's own chain. */
  orgId: number | null;
  actor: Actor;
  at: Date;
  subject: { kind: AuditSubjectKind; id: string; name: string };
  /** The former values of changed fields; null for something created. */
  before?: Record<string, unknown> | null;
  /** The new values; null for something removed. */
  after?: Record<string, unknown> | null;
  /** By default the actor's own action. */
  action?: AuditAction;
}

/** What an entry records about a change of its subject. */
export type AuditChange = Required<Pick<NewAuditEntry, 'before' | 'after'>>;

/**
 * Adds an entry to the organisation's chain in the caller's transaction: neither exists without the other. The
 * head of the chain stays locked until the transaction ends, so call it last; write entries of several
 * organisations in ascending order of id, otherwise two transactions could deadlock.
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
    ...locked.normalised,
  };
  await insertEntry(tx, row, hashOf(locked.head.hash, row));
};

/** Behind a proxy the address is text from outside; an IPv4 address is not shown in its IPv6 form. */
const addressOf = ({ address }: Actor): string | null => {
  const [bare = ''] = (address ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '').split('%', 1);
  return isIP(bare) ? bare : null;
};

/** The person at the command line, named by the system account. */
export const operatorActor = (): Actor => ({
  kind: 'operator',
  id: null,
  name: machineAccount(),
  address: null,
  traceId: null,
  action: undefined,
});

/** A user id without an entry in the system's list (as in containers) has no name. */
const machineAccount = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
};
