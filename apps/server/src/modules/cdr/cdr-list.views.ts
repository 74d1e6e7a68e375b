import { limits } from '@simcube/contract';
import type { Cdr, CdrFilter, cdrSorts } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { List } from '../../platform/lists/index.ts';
import { and, type CdrScope, holding, soughtBy } from './cdr-filter.views.ts';
import { type CdrColumns, cdrColumns, showCdrs } from './cdr-rows.views.ts';

/** Records of an organisation, the latest first. Of one end, they come by SIM and by key. */
export const cdrList: List<CdrScope, CdrFilter, CdrColumns, Cdr, (typeof cdrSorts)[number]> = {
  name: 'cdr.records',
  tables: [{ name: 'cdrs', from: () => sql`cdrs c` }],
  key: { column: 'dedupe_key', type: 'integer' },
  sorts: {
    ended_at: [
      { column: 'ended_at', type: 'instant' },
      { column: 'sim_id', type: 'integer' },
    ],
  },
  order: '-ended_at',
  filters: async (db, filter, asked) => [
    { holds: and(holding(await soughtBy(db, { filter, ...asked }))), columns: [] },
  ],
  counted: limits.countedTotal,
  select: cdrColumns,
  show: (rows, { db, scope, now }) => showCdrs(db, { orgId: scope.orgId, now, rows }),
};
