import { fail } from '../http/index.ts';
import type { KnownCounts, SampleLimits, SearchLimits } from './list.ts';
import { isSorted, type Position, reversed } from './order.ts';
import type { PageBookmarks } from './page-bookmarks.ts';
import {
  type FoundPage,
  isCoveredByOrderIndex,
  type PageRequest,
  type PageRow,
  positionOf,
} from './page-request.ts';
import {
  countMatches,
  gather,
  lookUpMatches,
  type MatchResult,
  readSample,
  readWindow,
  type WindowResult,
  walk,
} from './strategies.ts';

export interface PageHints {
  known: KnownCounts;
  /** Known positions of far pages; without them, each is walked to from an end of the order. */
  bookmarks?: PageBookmarks | undefined;
  /** The name of the query among those marks. */
  queryHash: string;
}

/**
 * Finds a page in about the same short time whatever the filter matches. No single plan does that: walking the
 * order is immediate if many rows match and endless if few do, and looking matches up by index is the other way
 * round. So both are tried, each with a limit; the README draws the decision.
 */
export const findPage = async (request: PageRequest, hints: PageHints): Promise<FoundPage> => {
  const { list, conditions, order, offset, size } = request;
  const searchLimits = list.searchLimits?.(order.sort);
  const total = hints.known.total?.(conditions);
  if (total !== undefined) return pageOfKnownTotal(request, { ...hints, total });
  if (list.countLimit === 'all') {
    const [rows, counted] = await Promise.all([walk(request, size + 1), countMatches(request)]);
    return { rows, total: counted, relation: 'eq' };
  }
  if (searchLimits?.few && conditions.some(({ few }) => few))
    return lookUpMatches(request, { limit: searchLimits.few });
  // Deeper pages need a cursor: every skipped row would have to be found first.
  if (offset >= list.countLimit) {
    const max = Math.ceil(list.countLimit / size);
    fail('CB-00-0400', { issues: [{ path: 'page_no', key: 'tooBig', values: { max } }] });
  }
  return searchLimits
    ? searchPage(request, { searchLimits, counted: list.countLimit, rows: hints.known.rows })
    : walkPage(request, list.countLimit);
};

/** If the total is known already, only the page itself is read. */
const pageOfKnownTotal = async (
  request: PageRequest,
  hints: PageHints & { total: number },
): Promise<FoundPage> => {
  const { list, size, offset, after, order, conditions } = request;
  const { total } = hints;
  if (list.searchLimits && list.countLimit !== 'all' && total <= list.countLimit && conditions.length > 0) {
    return { ...(await lookUpMatches(request, { limit: list.countLimit })), total, relation: 'eq' };
  }
  // A page in the second half is closer to the end.
  if (!after && offset > total / 2) {
    const fromEnd = Math.max(0, total - offset - size - 1);
    const count = Math.max(0, total - offset - fromEnd);
    const rows = await walkFar({ ...request, order: reversed(order), offset: fromEnd }, count, hints);
    return { rows: rows.reverse(), total, relation: 'eq' };
  }
  return { rows: await walkFar(request, size + 1, hints), total, relation: 'eq' };
};

/** Pages with a smaller offset are walked to directly. */
const farOffset = 20_000;

/** Like `walk`, but starts a far page at the nearest known position, which is valid while the total is unchanged. */
const walkFar = async (
  request: PageRequest,
  count: number,
  { bookmarks, queryHash, total }: PageHints & { total: number },
): Promise<PageRow[]> => {
  const { offset, after, order, now } = request;
  if (!bookmarks || after || offset < farOffset) return walk(request, count);
  const name = [queryHash, order.keys[0]?.descending, total].join('|');
  const last = bookmarks.lastBefore(name, offset, now);
  if (last?.offset === offset) return walk({ ...request, after: last.position, offset: 0 }, count);
  const skipped = offset - 1 - (last?.offset ?? 0);
  const [before, ...rows] = await walk({ ...request, after: last?.position, offset: skipped }, count + 1);
  if (before) bookmarks.add(name, { offset, position: positionOf(order, before) }, now);
  return rows;
};

const walkPage = async (request: PageRequest, counted: number): Promise<FoundPage> => {
  const [rows, total] = await Promise.all([
    walk(request, request.size + 1),
    countMatches(request, counted + 1),
  ]);
  if (total > counted) return { rows, total: counted, relation: 'gte' };
  return { rows, total, relation: request.narrowing?.isAtLeast ? 'gte' : 'eq' };
};

interface Search {
  searchLimits: SearchLimits;
  counted: number;
  rows: number | undefined;
}

/** For a window that was not read: it does not rule out that a larger one would be full. */
const unreadWindow: WindowResult = { rows: [], isFull: false, share: 1 };

const searchPage = async (request: PageRequest, search: Search): Promise<FoundPage> => {
  const { size, offset, conditions } = request;
  const { searchLimits, counted } = search;
  const near =
    searchLimits.near === undefined
      ? unreadWindow
      : await readWindow(request, searchLimits.near + 4 * (offset + size));
  const isListed = conditions.length === 1 && conditions[0]?.listed;
  const sampled = isListed ? undefined : await countBySample(request, { near, search });
  const bounded = !near.isFull && !isCoveredByOrderIndex(request);
  const matched = sampled ?? (await lookUpMatches(request, { limit: counted, bounded }));
  if (matched.relation === 'eq') return matched;
  if (near.isFull) return { ...matched, rows: near.rows };
  return { ...matched, rows: await farPage(request, { near, bound: matched.bound, far: searchLimits.far }) };
};

/** The matches counted by a sample, if it includes all rows or finds matches everywhere; otherwise undefined. */
const countBySample = async (
  request: PageRequest,
  { near, search: { searchLimits, counted, rows = 0 } }: { near: WindowResult; search: Search },
): Promise<MatchResult | undefined> => {
  if (!searchLimits.sample) return undefined;
  const { few, many, denseShare, reducedCountAbove, reducedCount }: SampleLimits = searchLimits.sample;
  if (near.isFull ? near.share < denseShare : !isSorted(request.order)) return undefined;
  if (!near.isFull && rows > few) {
    const { total } = await readSample(request, { rows: few, limit: few });
    if (total < denseShare * few) return undefined;
  }
  const limit = rows > reducedCountAbove ? reducedCount : counted;
  const sampled = await readSample(request, { rows: many, limit });
  return rows <= many || sampled.relation === 'gte' ? sampled : undefined;
};

/** A page of matches that are many, yet too rare or too far into the order for the near window. */
const farPage = async (
  request: PageRequest,
  { near, bound, far }: { near: WindowResult; bound: Position | undefined; far: number },
): Promise<PageRow[]> => {
  const { size, offset } = request;
  if (isCoveredByOrderIndex(request)) return walk(request, size + 1);
  const most = far + 4 * (offset + size);
  // If the near window had almost no matches, a larger one would not be full either.
  if (near.share * most > offset + size || !bound) {
    const window = await readWindow(request, most);
    if (window.isFull) return window.rows;
  }
  const rows = bound ? await gather(request, bound) : [];
  // The counted matches may have changed since.
  return rows.length > size ? rows : gather(request);
};
