import { lifecycleNumbers, limits, type Page, type SimFilter, type SimRow } from '@simcube/contract';
import type { Db } from '../../platform/db/index.ts';
import { decodeCursor, encodeCursor, fail } from '../../platform/http/index.ts';
import { isByWords } from './sim-condition.views.ts';
import {
  type SimPosition,
  type SimSort,
  simOrderOf,
  simPositionSchema,
  simPositionText,
} from './sim-cursor.rules.ts';
import { conditionsOf } from './sim-filter.views.ts';
import {
  type Counted,
  type Found,
  gather,
  type InWindow,
  isBeyondCounting,
  isInOrder,
  matches,
  type Wanted,
  walk,
  windowOf,
} from './sim-page.views.ts';
import { listRows } from './sim-rows.views.ts';
import { hasMost, type SimScope } from './sim-scope.views.ts';

export interface SimListQuestion {
  filter: SimFilter;
  sort: SimSort | `-${SimSort}` | undefined;
  page: Page;
  now: Date;
}

export interface SimListAnswer {
  data: SimRow[];
  total: number;
  relation: 'eq' | 'gte';
  nextCursor: string | null;
}

/** How many SIMs the first window over the sort order holds at least; more for deeper and longer pages. */
const nearRows = 1000;
/** And the second. In the order of entry, which is that of the tables, a row costs a fraction of any other's. */
const farRows = { byEntry: 50_000, byKey: 5000 };
/** A window this full of matches says that they are everywhere: counting them along the way is then the quickest. */
const denseShare = 0.08;

/** Each identifier of a list names two SIMs at most: an IMSI of one may be the MSISDN of another. */
const mostIdentified = 2 * limits.bulkSearch;

/**
 * A page of the organisation's SIMs, in the same short time whatever the filter finds. No single plan does that:
 * walking the sort order is instant when many SIMs match and endless when few do, and looking matches up by index
 * is the other way round. So both are tried, with an end set to each:
 *
 * - a *window* of the sort order, so many rows and no more, filtered as it is walked, fills the page when many match;
 * - the *matches*, looked up and counted up to `limits.countedTotal`: when that is all of them, they are sorted;
 * - a larger window, as many match;
 * - matches that are many and yet all far away in the order are gathered, as far as the page may reach: those that
 *   were counted tell how far, as they alone would fill it.
 */
export const listSims = async (
  db: Db,
  scope: SimScope,
  question: SimListQuestion,
): Promise<SimListAnswer> => {
  const { filter, page, now } = question;
  const order = simOrderOf(question.sort);
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, simPositionSchema(order));
  const conditions = await conditionsOf(db, { scope, filter, now });
  const wanted: Wanted = {
    db,
    scope,
    conditions,
    beside: conditions.some(isByWords) && (await hasMost(db, scope)),
    order,
    after,
    size: page.page_size,
    offset: after ? 0 : (page.page_no - 1) * page.page_size,
  };
  const byLifecycleAlone = wanted.conditions.every(
    ({ columns: read }) => read.length === 1 && read[0] === 'lifecycle',
  );
  const { found, total, relation } = byLifecycleAlone
    ? await plainPage(wanted, filter)
    : await filteredPage(wanted);
  const shown = found.slice(0, page.page_size);
  const last = found.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: await listRows(db, { ids: shown.map(({ id }) => id), now }),
    total,
    relation,
    nextCursor: last ? encodeCursor(simPositionText(order, last)) : null,
  };
};

/** Without other filters than the lifecycle, the counters know the total. */
const plainPage = async (wanted: Wanted, filter: SimFilter): Promise<Counted & { found: Found[] }> => {
  const total = await countByLifecycle(wanted, filter);
  const { size, offset, after, order } = wanted;
  if (total <= limits.countedTotal && wanted.conditions.length > 0) {
    return { ...(await matches(wanted)), total, relation: 'eq' };
  }
  // A page in the second half is nearer from the end.
  if (!after && offset > total / 2) {
    const fromEnd = Math.max(0, total - offset - size - 1);
    const count = Math.max(0, total - offset - fromEnd);
    const reversed = await walk(
      { ...wanted, order: { ...order, descending: !order.descending }, offset: fromEnd },
      count,
    );
    return { found: reversed.reverse(), total, relation: 'eq' };
  }
  return { found: await walk(wanted, size + 1), total, relation: 'eq' };
};

const filteredPage = async (wanted: Wanted): Promise<Counted & { found: Found[] }> => {
  // A list of identifiers is as long as it is: counted whole.
  if (wanted.conditions.some(({ few }) => few)) return matches(wanted, { most: mostIdentified });
  // Deeper, only a cursor goes on: every skipped row would have to be found first.
  if (wanted.offset >= limits.countedTotal) {
    fail('CB-00-0400', {
      issues: [
        { path: 'page_no', key: 'tooBig', values: { max: Math.floor(limits.countedTotal / wanted.size) } },
      ],
    });
  }
  const { size, offset, conditions } = wanted;
  const near = await windowOf(wanted, nearRows + 4 * (offset + size));
  const isDense = near.isFull && near.share >= denseShare;
  const isListed = conditions.length === 1 && conditions[0]?.listed;
  if (isDense && !isListed && (await isBeyondCounting(wanted, limits.countedTotal / denseShare))) {
    return { found: near.found, total: limits.countedTotal, relation: 'gte' };
  }
  const matched = await matches(wanted, { bounded: !near.isFull && !isInOrder(wanted) });
  if (matched.relation === 'eq') return matched;
  if (near.isFull) return { ...matched, found: near.found };
  return { ...matched, found: await farPage(wanted, { near, bound: matched.bound }) };
};

/** A page of matches that are many, and yet too few or too far away in the order for a small window. */
const farPage = async (
  wanted: Wanted,
  { near, bound }: { near: InWindow; bound: SimPosition | undefined },
): Promise<Found[]> => {
  const { order, size, offset } = wanted;
  if (isInOrder(wanted)) return walk(wanted, size + 1);
  // Where the small window met none at all, a larger one would hardly be any fuller.
  if (near.found.length > 0 || !bound) {
    const most = (order.column ? farRows.byKey : farRows.byEntry) + 4 * (offset + size);
    const far = await windowOf(wanted, most);
    if (far.isFull) return far.found;
  }
  const found = bound ? await gather(wanted, bound) : [];
  // Those that were counted may have changed since.
  return found.length > size ? found : gather(wanted);
};

const countByLifecycle = async ({ db, scope }: Wanted, filter: SimFilter): Promise<number> => {
  const rows = await db
    .selectFrom('org_sim_counts')
    .select(['lifecycle', 'sims'])
    .where('org_id', '=', scope.orgId)
    .execute();
  const numbers = filter.lifecycle?.length
    ? filter.lifecycle.map((name) => lifecycleNumbers[name] as number)
    : undefined;
  return rows.reduce((sum, row) => (!numbers || numbers.includes(row.lifecycle) ? sum + row.sims : sum), 0);
};
