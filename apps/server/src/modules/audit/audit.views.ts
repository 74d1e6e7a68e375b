import { limits, normaliseWidth } from '@simcube/contract';
import type { AuditEntry, auditFilterSchema, ChangeEntry } from '@simcube/contract/audit';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db, Sql } from '../../platform/db/index.ts';
import { type List, type ListPage, type PageQuery, readPage } from '../../platform/lists/index.ts';
import { instant, type StoredEntry, shownEntry } from './audit.rules.ts';

export type AuditFilter = z.output<typeof auditFilterSchema> & {
  /** Entries about one schedule or one rule, which are indexed. */
  about?: { kind: 'schedule' | 'autoflow'; id: string } | undefined;
};

interface ChangesQuery
  extends Pick<PageQuery<object, object, never>, 'page' | 'now'>,
    Required<Pick<AuditFilter, 'about'>> {
  orgId: number;
}

export type EntryWithHash = StoredEntry & { hash: Buffer };

const columns = `org_id, number, ${instant('at')} as at, action, actor_kind, actor_id, actor_name, subject_kind,
  subject_id, subject_name, before, after, address, trace_id, hash`;

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Entries of an organisation, the newest first: within a chain that is the order of the numbers. */
export const entryList: List<{ orgId: number }, AuditFilter, EntryWithHash, AuditEntry> = {
  name: 'audit.entries',
  tables: [
    { name: 'entries', from: () => sql`audit_entries`, inScope: ({ scope }) => sql`org_id = ${scope.orgId}` },
  ],
  key: { column: 'number', type: 'integer', descending: true },
  order: [],
  filters: {
    search: (text) =>
      sql`folded(actor_name || E'\\n' || subject_name) like folded(${`%${escapeLike(normaliseWidth(text))}%`})`,
    action: (actions) => sql`action = any(${actions}::text[])`,
    actor_id: (id) => sql`actor_id = ${id}`,
    number: (number) => sql`number = ${number}`,
    from: (from) => sql`at >= ${from}::timestamptz`,
    to: (to) => sql`at < ${to}::timestamptz`,
    about: ({ kind, id }) => sql`subject_kind = ${sql.lit(kind)} and subject_id = ${id}`,
  },
  countLimit: limits.countedTotal,
  // Without a filter the head of the chain gives the number of entries.
  known: async (db, _, { scope }) => {
    const { rows } = await sql<{ number: number }>`
      select number from audit_heads where org_id = ${scope.orgId}`.execute(db);
    return { total: ({ length }) => (length === 0 ? (rows[0]?.number ?? 0) : undefined) };
  },
  select: sql.raw(columns),
  show: (rows) => rows.map((row) => ({ ...shownEntry(row), hash: row.hash.toString('hex') })),
};

/** The changes of one schedule or rule, for its own page. */
export const readChanges = async (
  db: Db,
  { orgId, about, now, page }: ChangesQuery,
): Promise<ListPage<ChangeEntry>> => {
  const { data, ...rest } = await readPage(db, entryList, { scope: { orgId }, filter: { about }, now, page });
  const toChange = ({ number, at, action, actor, before, after }: AuditEntry): ChangeEntry => ({
    number,
    at,
    action,
    actor,
    before,
    after,
  });
  return { ...rest, data: data.map(toChange) };
};

/** A chain and its recorded head. */
export interface Chain {
  orgId: number;
  /** Null for the installation's own chain, and if the organisation no longer exists. */
  code: string | null;
  head: { number: number; hash: Buffer } | null;
}

/** All chains with any trace left, by organisation, or only one. */
export const listChains = async (from: Sql, orgId?: number): Promise<Chain[]> => {
  const { rows } = await from.query<{
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
  from: Sql,
  code: string,
): Promise<{ id: number; code: string } | undefined> =>
  (
    await from.query<{ id: number; code: string }>(
      'select id, code from organisations where lower(code) = lower($1)',
      [code],
    )
  ).rows[0];

/** In the order of the chain, from its beginning. */
export const readChain = async (
  from: Sql,
  { orgId, above, limit }: { orgId: number; above: number; limit: number },
): Promise<EntryWithHash[]> =>
  (
    await from.query<EntryWithHash>(
      `select ${columns} from audit_entries where org_id = $1 and number > $2 order by number limit $3`,
      [orgId, above, limit],
    )
  ).rows;
