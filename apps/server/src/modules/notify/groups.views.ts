import { z } from 'zod';
import type { Sql } from '../../platform/db/index.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/index.ts';

/** People by their email addresses, or phones by their numbers. */
export type GroupKind = 'email' | 'sms';

export interface GroupRow {
  id: number;
  name: string;
  addresses: string[];
  created_at: Date;
}

export interface GroupsQuestion {
  orgId: number;
  kind: GroupKind;
  page: { page_no: number; page_size: number; cursor?: string | undefined; search?: string | undefined };
}

/** A part of the name or of an address, without regard to width and case; an organisation has few enough to look at each. */
const found = (parameter: string): string =>
  `(${parameter}::text is null or strpos(folded(name || E'\\n' || array_to_string(addresses, E'\\n')), folded(${parameter})) > 0)`;

/** The folded name, which is one of its kind in the organisation. */
const positionSchema = z.string().max(200);

/** Groups of an organisation by name. */
export const listGroups = async (
  sql: Sql,
  { orgId, kind, page }: GroupsQuestion,
): Promise<{ rows: GroupRow[]; total: number; nextCursor: string | null }> => {
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, positionSchema);
  const search = page.search ?? null;
  const offset = after === null ? (page.page_no - 1) * page.page_size : 0;
  const { rows } = await sql.query<GroupRow & { position: string }>(
    `select id, name, addresses, created_at, folded(name) as position from address_groups
     where org_id = $1 and kind = $2 and ($3::text is null or folded(name) > $3) and ${found('$6')}
     order by folded(name) limit $4 offset $5`,
    [orgId, kind, after, page.page_size + 1, offset, search],
  );
  const counted = await sql.query<{ total: number }>(
    `select count(*)::int as total from address_groups where org_id = $1 and kind = $2 and ${found('$3')}`,
    [orgId, kind, search],
  );
  const shown = rows.slice(0, page.page_size);
  const last = rows.length > page.page_size ? shown.at(-1) : undefined;
  return {
    rows: shown,
    total: counted.rows[0]?.total ?? 0,
    nextCursor: last ? encodeCursor(last.position) : null,
  };
};
