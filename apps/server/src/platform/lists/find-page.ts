import { fail } from '../http/index.ts';
import type { Known, SampleSteps, Steps } from './list.ts';
import { isSorted, type Position, reversed } from './order.ts';
import type { OrderMarks } from './order-marks.ts';
import { type Found, type FoundPage, isInOrder, positionOf, type Wanted } from './wanted.ts';
import {
  countMatches,
  gather,
  type InWindow,
  type Matched,
  matches,
  sampleOf,
  walk,
  windowOf,
} from './ways.ts';

export interface Guides {
  known: Known;
  /** Known positions of far pages; without them, each is walked to from an end of the order. */
  marks?: OrderMarks | undefined;
  /** The name of the query among those marks. */
  mark: string;
}

/**
 * Finds a page in about the same short time whatever the filter matches. No single plan does that: walking the
 * order is immediate if many rows match and endless if few do, and looking matches up by index is the other way
 * round. So both are tried, each with a limit; the README draws the decision.
 */
export const findPage = async (wanted: Wanted, guides: Guides): Promise<FoundPage> => {
  const { list, conditions, order, offset, size } = wanted;
  const steps = list.steps?.(order.sort);
  const total = guides.known.total?.(conditions);
  if (total !== undefined) return knownPage(wanted, { ...guides, total });
  if (list.counted === 'all') {
    const [found, counted] = await Promise.all([walk(wanted, size + 1), countMatches(wanted)]);
    return { found, total: counted, relation: 'eq' };
  }
  if (steps?.few && conditions.some(({ few }) => few)) return matches(wanted, { most: steps.few });
  // Deeper pages need a cursor: every skipped row would have to be found first.
  if (offset >= list.counted) {
    const max = Math.ceil(list.counted / size);
    fail('CB-00-0400', { issues: [{ path: 'page_no', key: 'tooBig', values: { max } }] });
  }
  return steps
    ? searchedPage(wanted, { steps, counted: list.counted, rows: guides.known.rows })
    : walkedPage(wanted, list.counted);
};

/** If the total is known already, only the page itself is read. */
const knownPage = async (wanted: Wanted, guides: Guides & { total: number }): Promise<FoundPage> => {
  const { list, size, offset, after, order, conditions } = wanted;
  const { total } = guides;
  if (list.steps && list.counted !== 'all' && total <= list.counted && conditions.length > 0) {
    return { ...(await matches(wanted, { most: list.counted })), total, relation: 'eq' };
  }
  // A page in the second half is closer to the end.
  if (!after && offset > total / 2) {
    const fromEnd = Math.max(0, total - offset - size - 1);
    const count = Math.max(0, total - offset - fromEnd);
    const found = await walkFar({ ...wanted, order: reversed(order), offset: fromEnd }, count, guides);
    return { found: found.reverse(), total, relation: 'eq' };
  }
  return { found: await walkFar(wanted, size + 1, guides), total, relation: 'eq' };
};

/** Pages with a smaller offset are walked to directly. */
const farOffset = 20_000;

/** Like `walk`, but starts a far page at the nearest known position, which is valid while the total is unchanged. */
const walkFar = async (
  wanted: Wanted,
  count: number,
  { marks, mark, total }: Guides & { total: number },
): Promise<Found[]> => {
  const { offset, after, order, now } = wanted;
  if (!marks || after || offset < farOffset) return walk(wanted, count);
  const name = [mark, order.keys[0]?.descending, total].join('|');
  const last = marks.before(name, offset, now);
  if (last?.offset === offset) return walk({ ...wanted, after: last.place, offset: 0 }, count);
  const skipped = offset - 1 - (last?.offset ?? 0);
  const [before, ...found] = await walk({ ...wanted, after: last?.place, offset: skipped }, count + 1);
  if (before) marks.keep(name, { offset, place: positionOf(order, before) }, now);
  return found;
};

const walkedPage = async (wanted: Wanted, counted: number): Promise<FoundPage> => {
  const [found, total] = await Promise.all([
    walk(wanted, wanted.size + 1),
    countMatches(wanted, counted + 1),
  ]);
  if (total > counted) return { found, total: counted, relation: 'gte' };
  return { found, total, relation: wanted.narrowed?.isAtLeast ? 'gte' : 'eq' };
};

interface Search {
  steps: Steps;
  counted: number;
  rows: number | undefined;
}

/** For a window that was not read: it does not rule out that a larger one would be full. */
const unread: InWindow = { found: [], isFull: false, share: 1 };

const searchedPage = async (wanted: Wanted, search: Search): Promise<FoundPage> => {
  const { size, offset, conditions } = wanted;
  const { steps, counted } = search;
  const near = steps.near === undefined ? unread : await windowOf(wanted, steps.near + 4 * (offset + size));
  const isListed = conditions.length === 1 && conditions[0]?.listed;
  const sampled = isListed ? undefined : await countedBySample(wanted, { near, search });
  const bounded = !near.isFull && !isInOrder(wanted);
  const matched = sampled ?? (await matches(wanted, { most: counted, bounded }));
  if (matched.relation === 'eq') return matched;
  if (near.isFull) return { ...matched, found: near.found };
  return { ...matched, found: await farPage(wanted, { near, bound: matched.bound, far: steps.far }) };
};

/** The matches counted by a sample, if it includes all rows or finds matches everywhere; otherwise undefined. */
const countedBySample = async (
  wanted: Wanted,
  { near, search: { steps, counted, rows = 0 } }: { near: InWindow; search: Search },
): Promise<Matched | undefined> => {
  if (!steps.sample) return undefined;
  const { few, many, denseShare, countedOut, leastShown }: SampleSteps = steps.sample;
  if (near.isFull ? near.share < denseShare : !isSorted(wanted.order)) return undefined;
  if (!near.isFull && rows > few) {
    const { total } = await sampleOf(wanted, { rows: few, most: few });
    if (total < denseShare * few) return undefined;
  }
  const most = rows > countedOut ? leastShown : counted;
  const sampled = await sampleOf(wanted, { rows: many, most });
  return rows <= many || sampled.relation === 'gte' ? sampled : undefined;
};

/** A page of matches that are many, yet too rare or too far into the order for the near window. */
const farPage = async (
  wanted: Wanted,
  { near, bound, far }: { near: InWindow; bound: Position | undefined; far: number },
): Promise<Found[]> => {
  const { size, offset } = wanted;
  if (isInOrder(wanted)) return walk(wanted, size + 1);
  const most = far + 4 * (offset + size);
  // If the near window had almost no matches, a larger one would not be full either.
  if (near.share * most > offset + size || !bound) {
    const window = await windowOf(wanted, most);
    if (window.isFull) return window.found;
  }
  const found = bound ? await gather(wanted, bound) : [];
  // The counted matches may have changed since.
  return found.length > size ? found : gather(wanted);
};
