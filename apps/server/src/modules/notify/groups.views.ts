import { sql } from 'kysely';
import type { List } from '../../platform/lists/index.ts';

/** People by their email addresses, or phones by their numbers. */
export type GroupKind = 'email' | 'sms';

export interface GroupRow {
  id: number;
  name: string;
  addresses: string[];
  created_at: Date;
}

const text = sql`folded(name || E'\\n' || array_to_string(addresses, E'\\n'))`;

/** Groups of an organisation by name. */
export const groupList: List<
  { orgId: number; kind: GroupKind },
  { search?: string | undefined },
  GroupRow,
  GroupRow
> = {
  name: 'notify.groups',
  tables: [
    {
      name: 'groups',
      from: () => sql`address_groups`,
      own: ({ scope }) => sql`org_id = ${scope.orgId} and kind = ${scope.kind}`,
    },
  ],
  // One of its kind in the organisation.
  key: { column: sql`folded(name)`, type: 'text' },
  order: [],
  filters: {
    // Without regard to width and case; an organisation has few enough to look at each.
    search: (part) => sql`strpos(${text}, folded(${part})) > 0`,
  },
  counted: 'all',
  select: sql`id, name, addresses, created_at`,
  show: (rows) => rows,
};
