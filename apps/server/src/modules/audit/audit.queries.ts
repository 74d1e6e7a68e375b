import type { Sql } from '../../platform/db/index.ts';
import { noHash } from './audit.chain.ts';
import { instant, type StoredEntry } from './audit.rules.ts';

export interface Head {
  number: number;
  hash: Buffer;
}

/** The values of an entry to be stored that the database may normalise. */
export interface RawValues {
  at: Date;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
}

export type NormalisedValues = Pick<StoredEntry, 'at' | 'before' | 'after' | 'address'>;

/**
 * Locks the head of the organisation's chain until the transaction ends (created if it does not exist), and
 * returns in the same round trip the new entry's values as the database will return them.
 */
export const lockHead = async (
  sql: Sql,
  orgId: number,
  { at, before, after, address }: RawValues,
): Promise<{ head: Head; normalised: NormalisedValues } | undefined> => {
  const { rows } = await sql.query<Head & NormalisedValues>(
    `insert into audit_heads (org_id, number, hash) values ($1, 0, $2)
     on conflict (org_id) do update set number = audit_heads.number
     returning number, hash, ${instant('$3::timestamptz')} as at, $4::jsonb as before, $5::jsonb as after,
       $6::inet as address`,
    [orgId, noHash, at, jsonOrNull(before), jsonOrNull(after), address],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { number, hash, ...normalised } = row;
  return { head: { number, hash }, normalised };
};

/** Inserts the entry and moves the head of its chain to it. */
export const insertEntry = async (sql: Sql, entry: StoredEntry, hash: Buffer): Promise<void> => {
  await sql.query(
    `with head as (update audit_heads set number = $2, hash = $3 where org_id = $1)
     insert into audit_entries (org_id, number, hash, at, action, actor_kind, actor_id, actor_name,
       subject_kind, subject_id, subject_name, before, after, address, trace_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      entry.org_id,
      entry.number,
      hash,
      entry.at,
      entry.action,
      entry.actor_kind,
      entry.actor_id,
      entry.actor_name,
      entry.subject_kind,
      entry.subject_id,
      entry.subject_name,
      jsonOrNull(entry.before),
      jsonOrNull(entry.after),
      entry.address,
      entry.trace_id,
    ],
  );
};

const jsonOrNull = (value: Record<string, unknown> | null): string | null =>
  value === null ? null : JSON.stringify(value);
