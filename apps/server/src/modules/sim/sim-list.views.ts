import { limits, type Page } from '@simcube/contract';
import { lifecycleNumbers, type SimFilter, type SimRow } from '@simcube/contract/sim';
import type { Db } from '../../platform/db/index.ts';
import { decodeCursor, encodeCursor, fail } from '../../platform/http/index.ts';
import type { FindOverdue } from './sim.views.ts';
import { isByWords } from './sim-condition.views.ts';
import {
  type SimPosition,
  type SimSort,
  simOrderOf,
  simPositionSchema,
  simPositionText,
} from './sim-cursor.rules.ts';
import { conditionsOf } from './sim-filter.views.ts';
import type { OrderMarks } from './sim-marks.ts';
import {
  type Counted,
  type Found,
  gather,
  type InWindow,
  isInOrder,
  type Matched,
  matches,
  sampleOf,
  type Wanted,
  walk,
  windowOf,
} from './sim-page.views.ts';
import { listRows } from './sim-rows.views.ts';
import { type OrgSims, orgSims, type SimScope } from './sim-scope.views.ts';

export interface SimListQuestion {
  filter: SimFilter;
  sort: SimSort | `-${SimSort}` | undefined;
  page: Page;
  now: Date;
  /** What is known of far pages; without it each is walked to from an end of the order. */
  marks?: OrderMarks;
  /** Without it the rows don't say what the network has not done. */
  findOverdue?: FindOverdue;
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
/** So many matches among the first SIMs say that they are everywhere: counting along the way is then the quickest. */
const denseShare = 0.06;
/** How many SIMs are looked at to learn whether they are, and to count them then. */
const sampleRows = { few: 2000, many: 20_000 };
/** In an organisation larger than this, what is everywhere is not counted as far as what an index lists. */
const countedOut = 40_000;
const leastTold = 1000;

/** Pages nearer to the start of the order are walked to as they are. */
const farOffset = 20_000;

/** Each identifier of a list names two SIMs at most: an IMSI of one may be the MSISDN of another. */
const mostIdentified = 2 * limits.bulkSearch;

/**
 * A page of the organisation's SIMs, in the same short time whatever the filter finds. No single plan does that:
 * walking the sort order is instant when many SIMs match and endless when few do, and looking matches up by index
 * is the other way round. So both are tried, with an end set to each:
 *
 * - a *window* of the sort order, so many rows and no more, filtered as it is walked, fills the page when many match;
 * - a *sample* of the SIMs counts matches that are everywhere without any index;
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
  const [conditions, org] = await Promise.all([conditionsOf(db, { scope, filter, now }), orgSims(db, scope)]);
  const wanted: Wanted = {
    db,
    scope,
    conditions,
    beside: org.isMost && conditions.some(isByWords),
    order,
    after,
    size: page.page_size,
    offset: after ? 0 : (page.page_no - 1) * page.page_size,
  };
  const byLifecycleAlone = wanted.conditions.every(
    ({ columns: read }) => read.length === 1 && read[0] === 'lifecycle',
  );
  const { found, total, relation } = byLifecycleAlone
    ? await plainPage(wanted, countByLifecycle(org, filter), question)
    : await filteredPage(wanted, org);
  const shown = found.slice(0, page.page_size);
  const last = found.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: await listRows(db, { ids: shown.map(({ id }) => id), now, findOverdue: question.findOverdue }),
    // A page further on than was counted says itself that there are more.
    total: relation === 'gte' ? Math.max(total, wanted.offset + shown.length) : total,
    relation,
    nextCursor: last ? encodeCursor(simPositionText(order, last)) : null,
  };
};

/** Without other filters than the lifecycle, the counters know the total. */
const plainPage = async (
  wanted: Wanted,
  total: number,
  question: SimListQuestion,
): Promise<Counted & { found: Found[] }> => {
  const { size, offset, after, order } = wanted;
  if (total <= limits.countedTotal && wanted.conditions.length > 0) {
    return { ...(await matches(wanted)), total, relation: 'eq' };
  }
  // A page in the second half is nearer from the end.
  if (!after && offset > total / 2) {
    const fromEnd = Math.max(0, total - offset - size - 1);
    const count = Math.max(0, total - offset - fromEnd);
    const reversed = await walkFar(
      { ...wanted, order: { ...order, descending: !order.descending }, offset: fromEnd },
      { count, total, question },
    );
    return { found: reversed.reverse(), total, relation: 'eq' };
  }
  return { found: await walkFar(wanted, { count: size + 1, total, question }), total, relation: 'eq' };
};

/** As `walk`; to a far page from the nearest place that is known, as long as there are as many SIMs as then. */
const walkFar = async (
  wanted: Wanted,
  { count, total, question }: { count: number; total: number; question: SimListQuestion },
): Promise<Found[]> => {
  const { offset, after, order, scope } = wanted;
  const { marks, now, filter } = question;
  if (!marks || after || offset < farOffset) return walk(wanted, count);
  const key = [scope.orgId, order.column, order.descending, filter.lifecycle, total].join('|');
  const mark = marks.before(key, offset, now);
  if (mark?.offset === offset) return walk({ ...wanted, after: mark.place, offset: 0 }, count);
  const skipped = offset - 1 - (mark?.offset ?? 0);
  const [before, ...found] = await walk({ ...wanted, after: mark?.place, offset: skipped }, count + 1);
  if (before) marks.keep(key, { offset, place: before }, now);
  return found;
};

const filteredPage = async (wanted: Wanted, { sims }: OrgSims): Promise<Counted & { found: Found[] }> => {
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
  const isListed = conditions.length === 1 && conditions[0]?.listed;
  const told = isListed ? undefined : await toldBySample(wanted, { near, sims });
  const matched = told ?? (await matches(wanted, { bounded: !near.isFull && !isInOrder(wanted) }));
  if (matched.relation === 'eq') return matched;
  if (near.isFull) return { ...matched, found: near.found };
  return { ...matched, found: await farPage(wanted, { near, bound: matched.bound }) };
};

/** The matches as a sample tells them, of all SIMs or where they are everywhere; undefined when it can't tell. */
const toldBySample = async (
  wanted: Wanted,
  { near, sims }: { near: InWindow; sims: number },
): Promise<Matched | undefined> => {
  if (near.isFull ? near.share < denseShare : !wanted.order.column) return undefined;
  const { few, many } = sampleRows;
  if (!near.isFull && sims > few) {
    const { total } = await sampleOf(wanted, { rows: few, most: few });
    if (total < denseShare * few) return undefined;
  }
  const most = sims > countedOut ? leastTold : limits.countedTotal;
  const sampled = await sampleOf(wanted, { rows: many, most });
  return sims <= many || sampled.relation === 'gte' ? sampled : undefined;
};

/** A page of matches that are many, and yet too few or too far away in the order for a small window. */
const farPage = async (
  wanted: Wanted,
  { near, bound }: { near: InWindow; bound: SimPosition | undefined },
): Promise<Found[]> => {
  const { order, size, offset } = wanted;
  if (isInOrder(wanted)) return walk(wanted, size + 1);
  const most = (order.column ? farRows.byKey : farRows.byEntry) + 4 * (offset + size);
  // Where the small window met next to none, a larger one would not be full either.
  if (near.share * most > offset + size || !bound) {
    const far = await windowOf(wanted, most);
    if (far.isFull) return far.found;
  }
  const found = bound ? await gather(wanted, bound) : [];
  // Those that were counted may have changed since.
  return found.length > size ? found : gather(wanted);
};

const countByLifecycle = ({ byLifecycle }: OrgSims, filter: SimFilter): number => {
  const numbers = filter.lifecycle?.length
    ? filter.lifecycle.map((name) => lifecycleNumbers[name] as number)
    : undefined;
  return byLifecycle.reduce(
    (sum, row) => (!numbers || numbers.includes(row.lifecycle) ? sum + row.sims : sum),
    0,
  );
};
