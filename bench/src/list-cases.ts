import { limits } from '@simcube/contract';
import { bundleCode, commonTag, iccidOf, imsiOf, rareTag, rareWord } from './fleet.ts';

/** What the list is asked: the body of the call. */
export type Question = Record<string, unknown>;

export interface ListCase {
  name: string;
  /** The question of one try; `random` gives whole numbers from 0 below its argument, the same in every run. */
  ask(given: { sims: number; random: (below: number) => number }): Question;
  /** Goes on from the cursor that the question's answer gave: the page after it is what is measured. */
  byCursor?: true;
}

const fixed = (name: string, question: Question): ListCase => ({ name, ask: () => question });

const pageSize = 50;
/** Filtered totals are counted so far, and pages by number go as deep. */
const filteredPages = limits.countedTotal / pageSize;

/** Every filter, sort and kind of search, what finds few and what finds all, near pages and far ones. */
export const listCases: readonly ListCase[] = [
  fixed('first page', {}),
  ...['iccid', 'device_name', 'activated_at', 'expires_at'].flatMap((column) => [
    fixed(`sort ${column}`, { sort: column }),
    fixed(`sort -${column}`, { sort: `-${column}` }),
  ]),
  {
    name: 'page in the middle',
    ask: ({ sims }) => ({ page_no: middlePage(sims) }),
  },
  {
    name: 'page in the middle, sort expires_at',
    ask: ({ sims }) => ({ page_no: middlePage(sims), sort: 'expires_at' }),
  },
  { name: 'last page', ask: ({ sims }) => ({ page_no: Math.min(100_000, Math.ceil(sims / pageSize)) }) },
  {
    name: 'cursor in the middle',
    ask: ({ sims }) => ({ page_no: middlePage(sims), sort: 'iccid' }),
    byCursor: true,
  },
  fixed('lifecycle active', { lifecycle: ['active'] }),
  fixed('lifecycle terminated', { lifecycle: ['terminated'] }),
  fixed('lifecycle paused, sort -activated_at', { lifecycle: ['paused'], sort: '-activated_at' }),
  fixed('connection online', { connection: ['online'] }),
  fixed('connection unknown, sort device_name', { connection: ['unknown'], sort: 'device_name' }),
  fixed('over the limit', { over_limit: true }),
  fixed('within the limit', { over_limit: false }),
  fixed('usage from 80 %', { usage_percent_min: 80 }),
  fixed('usage from 35.5 %, sort -expires_at', { usage_percent_min: 35.5, sort: '-expires_at' }),
  fixed('usage from 107 % (few)', { usage_percent_min: 107 }),
  fixed('expires within 7 days', { expires_within_days: 7 }),
  fixed('expires within 45 days, sort expires_at', { expires_within_days: 45, sort: 'expires_at' }),
  fixed('tag of all', { tags: [commonTag] }),
  fixed('rare tag', { tags: [rareTag] }),
  { name: 'tag of some', ask: ({ random }) => ({ tags: [`site-${random(2000)}`] }) },
  { name: 'bundle', ask: ({ random }) => ({ bundle: [bundleCode(1 + random(8))] }) },
  fixed('bundle that nobody has', { bundle: ['NONE'] }),
  fixed('active, online, usage from 50 %', {
    lifecycle: ['active'],
    connection: ['online'],
    usage_percent_min: 50,
  }),
  fixed('terminated, over the limit, sort device_name', {
    lifecycle: ['terminated'],
    over_limit: true,
    sort: 'device_name',
  }),
  fixed('online, deepest numbered page', { connection: ['online'], page_no: filteredPages / 2 }),
  { name: 'search a whole ICCID', ask: ({ sims, random }) => ({ search: iccidOf(random(sims)) }) },
  { name: 'search a whole IMSI', ask: ({ sims, random }) => ({ search: imsiOf(random(sims)) }) },
  {
    name: 'search the end of an ICCID',
    ask: ({ sims, random }) => ({ search: iccidOf(random(sims)).slice(-6) }),
  },
  { name: 'search three digits', ask: ({ random }) => ({ search: String(100 + random(900)) }) },
  fixed('search the start of all ICCIDs', { search: '8949030' }),
  fixed('search a common name', { search: 'berlin' }),
  fixed('search a common name, sort -device_name', { search: 'berlin', sort: '-device_name' }),
  fixed('search a rare name', { search: rareWord }),
  fixed('search within the notes', { search: 'by team 77' }),
  fixed('search two letters', { search: 'me' }),
  fixed('search one letter', { search: 'k' }),
  fixed('search what nothing has', { search: 'qqxzzy' }),
  fixed('search digits that nothing has', { search: '99999999999' }),
  fixed('search a common name, online', { search: 'tracker', connection: ['online'] }),
  fixed('search a common name, terminated, rare tag', {
    search: 'meter',
    lifecycle: ['terminated'],
    tags: [rareTag],
  }),
];

const middlePage = (sims: number): number => Math.max(1, Math.floor(sims / pageSize / 2));
