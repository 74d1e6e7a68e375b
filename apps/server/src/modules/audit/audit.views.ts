import { limits, widthless } from '@simcube/contract';
import type { AuditEntry, auditFilterSchema } from '@simcube/contract/audit';
import type { z } from 'zod';
import type { Sql } from '../../platform/db/index.ts';
import { instant, type StoredEntry, shownEntry } from './audit.rules.ts';

export type AuditFilter = z.output<typeof auditFilterSchema>;

interface EntriesQuery {
  orgId: number;
  filter: AuditFilter;
  /** Entries with smaller numbers only. */
  below: number | undefined;
  limit: number;
  offset?: number;
}

export type EntryWithHash = StoredEntry & { hash: Buffer };

const columns = `org_id, number, ${instant('at')} as at, action, actor_kind, actor_id, actor_name, subject_kind,
  subject_id, subject_name, before, after, address, trace_id, hash`;

/** The organisation's entries that the filter lets through. */
const matching = (orgId: number, filter: AuditFilter): { from: string; values: unknown[] } => {
  const values: unknown[] = [orgId];
  const conditions = ['org_id = $1'];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (filter.search) {
    add(
      (p) => `folded(actor_name || E'\\n' || subject_name) like folded(${p})`,
      `%${escapeLike(widthless(filter.search))}%`,
    );
  }
  if (filter.action?.length) add((p) => `action = any(${p}::text[])`, filter.action);
  if (filter.actor_id) add((p) => `actor_id = ${p}`, filter.actor_id);
  if (filter.from) add((p) => `at >= ${p}::timestamptz`, filter.from);
  if (filter.to) add((p) => `at < ${p}::timestamptz`, filter.to);
  return { from: `from audit_entries where ${conditions.join(' and ')}`, values };
};

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** The newest first: in a chain that is the order of the numbers. */
export const listEntries = async (
  sql: Sql,
  { orgId, filter, below, limit, offset = 0 }: EntriesQuery,
): Promise<AuditEntry[]> => {
  const { from, values } = matching(orgId, filter);
  const at = values.length;
  const { rows } = await sql.query<EntryWithHash>(
    `select ${columns} ${from} and ($${at + 1}::bigint is null or number < $${at + 1})
     order by number desc limit $${at + 2} offset $${at + 3}`,
    [...values, below ?? null, limit, offset],
  );
  return rows.map((row) => ({ ...shownEntry(row), hash: row.hash.toString('hex') }));
};

/** Without a filter the end of the chain says how many there are; else they are counted up to a limit. */
export const countEntries = async (
  sql: Sql,
  orgId: number,
  filter: AuditFilter,
): Promise<{ total: number; relation: 'eq' | 'gte' }> => {
  const { from, values } = matching(orgId, filter);
  const { rows } =
    values.length === 1
      ? await sql.query<{ total: number }>(
          'select number as total from audit_heads where org_id = $1',
          values,
        )
      : await sql.query<{ total: number }>(
          `select count(*)::int as total from (select 1 ${from} limit $${values.length + 1}) as counted`,
          [...values, limits.countedTotal + 1],
        );
  const total = rows[0]?.total ?? 0;
  if (values.length === 1 || total <= limits.countedTotal) return { total, relation: 'eq' };
  return { total: limits.countedTotal, relation: 'gte' };
};

/** A chain, and what its end is said to be. */
export interface Chain {
  orgId: number;
  /** Null for the installation's own chain, and where the organisation is no longer. */
  code: string | null;
  head: { number: number; hash: Buffer } | null;
}

/** All chains of which anything is left, by organisation, or of one alone. */
export const listChains = async (sql: Sql, orgId?: number): Promise<Chain[]> => {
  const { rows } = await sql.query<{
    org_id: number;
    code: string | null;
    number: number | null;
    hash: Buffer | null;
  }>(
    `with recursive known as (
       -- Hops from one organisation to the next along the key, however many entries each has.
       (select org_id from audit_entries order by org_id limit 1)
       union all
       select (select e.org_id from audit_entries e where e.org_id > known.org_id order by e.org_id limit 1)
       from known where known.org_id is not null),
     chains as (select org_id from known where org_id is not null union select org_id from audit_heads)
     select c.org_id, o.code, h.number, h.hash from chains c
     left join organisations o on o.id = c.org_id left join audit_heads h on h.org_id = c.org_id
     where $1::bigint is null or c.org_id = $1 order by c.org_id`,
    [orgId ?? null],
  );
  return rows.map(({ org_id, code: own, number, hash }) => ({
    orgId: org_id,
    code: own,
    head: number === null || hash === null ? null : { number, hash },
  }));
};

export const findOrganisation = async (
  sql: Sql,
  code: string,
): Promise<{ id: number; code: string } | undefined> =>
  (
    await sql.query<{ id: number; code: string }>(
      'select id, code from organisations where lower(code) = lower($1)',
      [code],
    )
  ).rows[0];

/** Along the chain, from its beginning. */
export const readChain = async (
  sql: Sql,
  { orgId, above, limit }: { orgId: number; above: number; limit: number },
): Promise<EntryWithHash[]> =>
  (
    await sql.query<EntryWithHash>(
      `select ${columns} from audit_entries where org_id = $1 and number > $2 order by number limit $3`,
      [orgId, above, limit],
    )
  ).rows;
