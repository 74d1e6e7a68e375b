import { limits } from '@simcube/contract';
import type { Cdr, CdrFilter, cdrSorts } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { List, PagePosition } from '../../platform/lists/index.ts';
import { and, type CdrScope, recordConditions, resolveFilter } from './cdr-filter.views.ts';
import { type CdrColumns, cdrColumns, showCdrs } from './cdr-rows.views.ts';
import { narrowToPage } from './counts/narrowed.views.ts';

type CdrList = List<CdrScope, CdrFilter, CdrColumns, Cdr, (typeof cdrSorts)[number]>;

/**
 * Records of an organisation, latest first. Records with the same end are ordered by SIM and key.
 * @param few up to this number of records, stored counts are not used to find them
 * @param fewSims nor up to this number of SIMs, if SIMs are filtered
 * @param counted maximum total that is counted exactly
 */
export const cdrListOf = ({
  few,
  fewSims,
  counted = limits.countedTotal,
}: {
  few?: number;
  fewSims?: number;
  counted?: number;
} = {}): CdrList => ({
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
  filters: async (db, filter, context) => {
    const selection = await resolveFilter(db, { filter, ...context, fewSims });
    const narrowed = (position: PagePosition) => narrowToPage(db, { selection, few, ...position });
    return [{ holds: and(recordConditions(selection)), columns: [], narrow: narrowed }];
  },
  countLimit: counted,
  select: cdrColumns,
  show: (rows, { db, scope, now }) => showCdrs(db, { orgId: scope.orgId, now, rows }),
});

export const cdrList = cdrListOf();
