import { type InputIssue, limits } from '@simcube/contract';
import type { CdrFilter } from '@simcube/contract/cdr';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { orderExport } from '../../task/index.ts';
import { spanAt } from '../cdr-filter.views.ts';
import { countExported } from './cdr-export.views.ts';
import type { CdrExport } from './cdr-export-cells.ts';

export interface CdrExportOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
}

export interface CdrExportRequester {
  org: { id: number };
  userId: string;
  actor: Actor;
}

/**
 * Accepts an export of records or of sums. The file is made in the background from the data of this moment: a filter
 * without an end ends now.
 * @throws Failure CB-09-0010, CB-09-0011; CB-00-0400 if the filter's span is too long; CB-01-0031 if none of the
 * chosen records belongs to the organisation
 */
export const orderCdrExport = async (
  { pool, db, clock }: CdrExportOptions,
  { org, userId, actor }: CdrExportRequester,
  requested: CdrExport,
): Promise<{ reference_id: string; quantity: number }> => {
  const at = clock.now();
  const parameters: CdrExport = { ...requested, what: bounded(requested.what, at) };
  const query = { orgId: org.id, what: parameters.what, now: at };
  const quantity = await countExported(db, { ...query, limit: limits.exportRows + 1 });
  // Records of other organisations can't be chosen.
  if (quantity === 0 && parameters.what.rows === 'chosen') fail('CB-01-0031');
  if (quantity > limits.exportRows && parameters.what.rows !== 'chosen') {
    fail('CB-09-0011', { values: { max: limits.exportRows }, issues: narrowable(parameters.what.filter) });
  }
  return orderExport(pool, {
    orgId: org.id,
    userId,
    actor,
    type: 'cdr-export',
    parameters,
    at,
    quantity,
    auditDetails: { rows: quantity, of: parameters.what.rows, format: parameters.format },
  });
};

const narrowingFields = ['identifiers', 'country', 'operator', 'radio', 'apn'] as const;

/** How to narrow the filter: by the period, and by fields without a value yet. */
const narrowable = (filter: CdrFilter): InputIssue[] =>
  ['from', ...narrowingFields.filter((name) => !filter[name]?.length)].map((name) => ({
    path: `filter.${name}`,
    key: 'narrowThis',
  }));

/** Limits a filter to the records that ended before an instant. */
const bounded = (what: CdrExport['what'], at: Date): CdrExport['what'] =>
  what.rows === 'chosen' ? what : { ...what, filter: boundedFilter(what.filter, at) };

const boundedFilter = (filter: CdrFilter, at: Date): CdrFilter => {
  const { from, to } = spanAt(filter, at, 'filter.');
  return { ...filter, from: from.toISOString(), to: (to < at ? to : at).toISOString() };
};
