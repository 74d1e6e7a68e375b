import { limits } from '@simcube/contract';
import type { Channel, TargetChoice } from '@simcube/contract/notify';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { failuresUntilProbes } from './targets.rules.ts';

export interface TargetRow {
  id: number;
  version: number;
  name: string;
  /** Addresses of people, phone numbers, or the one URL of an API target. */
  addresses: string[];
  created_at: Date;
  paused_for: 'failing' | 'gone' | null;
  failing: boolean;
  /** For an API target. */
  secret_created_at: Date | null;
  former_secret_until: Date | null;
  last_at: Date | null;
  last_state: number | null;
}

/** The columns of a target in addition to its own, as `targets`. */
const columns = `id, version, name, addresses, created_at, paused_for,
  exists (select from delivery_lanes l where l.lane = targets.id and l.failures >= ${failuresUntilProbes}) as failing,
  (select s.created_at from target_secrets s where s.target_id = targets.id and s.expires_at is null)
    as secret_created_at,
  (select max(s.expires_at) from target_secrets s where s.target_id = targets.id) as former_secret_until,
  (select d.created_at from deliveries d where d.target_id = targets.id order by d.created_at desc, d.id desc limit 1) as last_at,
  (select d.state from deliveries d where d.target_id = targets.id order by d.created_at desc, d.id desc limit 1) as last_state`;

const text = sql`folded(name || E'\\n' || array_to_string(addresses, E'\\n'))`;

/** Targets of one kind in an organisation, by name. */
export const targetList: List<
  { orgId: number; kind: Channel },
  { search?: string | undefined; groupId?: string | undefined },
  TargetRow,
  TargetRow
> = {
  name: 'notify.targets',
  tables: [
    {
      name: 'targets',
      from: () => sql`notification_targets as targets`,
      inScope: ({ scope }) => sql`org_id = ${scope.orgId} and kind = ${scope.kind}`,
    },
  ],
  // Unique within kind and organisation.
  key: { column: sql`folded(name)`, type: 'text' },
  order: [],
  filters: {
    // Ignoring width and case; an organisation has few enough to scan.
    search: (part) => sql`strpos(${text}, folded(${part})) > 0`,
    groupId: (id) => sql`id = ${id}`,
  },
  countLimit: 'all',
  select: sql.raw(columns),
  show: (rows) => rows,
};

/** One target as lists show it. */
export const readTarget = async (db: Sql, id: number): Promise<TargetRow | undefined> =>
  (await db.query<TargetRow>(`select ${columns} from notification_targets as targets where id = $1`, [id]))
    .rows[0];

/** An organisation's targets of these kinds for a select: by kind and name, without addresses of people. */
export const listTargetChoices = async (
  db: Sql,
  { orgId, kinds, withUrls }: { orgId: number; kinds: readonly Channel[]; withUrls: boolean },
): Promise<TargetChoice[]> =>
  (
    await db.query<TargetChoice>(
      `select id::text as id, kind, name, cardinality(addresses) as addresses,
         case when kind = 'api' and $3 then addresses[1] end as url
       from notification_targets where org_id = $1 and kind = any($2) order by kind, folded(name) limit $4`,
      [orgId, kinds, withUrls, kinds.length * limits.addressGroups.perOrganisation],
    )
  ).rows;
