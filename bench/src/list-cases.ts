import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { bundleCode, commonTag, iccidOf, imsiOf, rareApn, rareTag, rareWord } from './fleet.ts';

/** Body of a call of the list. */
export type ListQuery = Record<string, unknown>;

export interface ListCase {
  name: string;
  /** The query of one attempt; `random` returns integers from 0 to below its argument, the same in every run. */
  query(context: { sims: number; random: (below: number) => number }): ListQuery;
  /** Continues from the cursor of the first response, and measures the page after it. */
  byCursor?: true;
  /** Requests the counts by status with the same filter. */
  counts?: true;
}

const fixed = (name: string, query: ListQuery): ListCase => ({ name, query: () => query });

const pageSize = 50;
/** Limit of filtered totals, and of pages by number. */
const filteredPages = limits.countedTotal / pageSize;

/** The instant a number of days from now. */
const at = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
const dateAt = (days: number): string => at(days).slice(0, 10);

/** Counts by status with few matches, many matches, and all SIMs matching. */
const countCases: readonly ListCase[] = [
  fixed('counts of all', {}),
  fixed('counts of a common name', { search: 'berlin' }),
  fixed('counts of a rare name', { search: rareWord }),
  fixed('counts of two letters', { search: 'me' }),
  fixed('counts of the start of all ICCIDs', { search: '8949030' }),
  fixed('counts of what nothing has', { search: 'qqxzzy' }),
  fixed('counts of a common tag', { tags: [commonTag] }),
  fixed('counts of those online', { connection: ['online'] }),
  fixed('counts of a common name, online', { search: 'tracker', connection: ['online'] }),
  fixed('counts of usage from 80 %', { usage_percent_min: 80 }),
  fixed('counts of a common country', { country: ['DE'] }),
].map((listCase) => ({ ...listCase, counts: true }));

/** Every field of the advanced search, with few matches and with many. */
const advancedCases: readonly ListCase[] = [
  fixed('name of two letters that many begin with', { device_name: 'me' }),
  fixed('name of two letters that are within many', { device_name: 'er' }),
  fixed('name of a letter that nothing has', { device_name: 'q' }),
  fixed('name with a common word, sort -device_name', { device_name: 'berlin', sort: '-device_name' }),
  fixed('name with a rare word, sort expires_at', { device_name: rareWord, sort: 'expires_at' }),
  fixed('notes of two letters that all begin with, sort expires_at', { notes: 'in', sort: 'expires_at' }),
  fixed('notes of two letters that begin a word in all', { notes: 'te' }),
  fixed('notes of a letter that nothing has', { notes: 'q' }),
  fixed('delivery notes, common part', { delivery_note_number: 'dn-1' }),
  fixed('delivery notes, rare part', { delivery_note_number: '-17' }),
  fixed('A2P MT SMS suspended', { sms_suspended: true }),
  fixed('A2P MT SMS not suspended', { sms_suspended: false }),
  fixed('chip grade, common', { chip_grade: ['industrial'] }),
  fixed('chip grade, rare', { chip_grade: ['automotive'] }),
  fixed('technology, common, sort -activated_at', { technology: ['OTA'], sort: '-activated_at' }),
  fixed('technology, rare', { technology: ['multi IMSI'] }),
  fixed('APN, common part', { apn: 'iot' }),
  fixed('APN, rare', { apn: rareApn }),
  { name: 'address', query: ({ sims, random }) => ({ ip: addressOf(1 + random(sims)) }) },
  fixed('absent address', { ip: '192.0.2.1' }),
  fixed('country, common', { country: ['DE'] }),
  fixed('country, rare', { country: ['US'] }),
  fixed('operator, common, sort -expires_at', { operator: ['262-02'], sort: '-expires_at' }),
  fixed('operator, rare', { operator: ['310-260'] }),
  fixed('radio, common', { radio: ['4G'] }),
  fixed('radio, rare', { radio: ['2G'] }),
  fixed('radio, none, sort device_name', { radio: ['WLAN'], sort: 'device_name' }),
  fixed('usage up to 0 %', { usage_percent_max: 0 }),
  fixed('usage up to 50 %, sort -expires_at', { usage_percent_max: 50, sort: '-expires_at' }),
  fixed('usage from 60 to 60.2 %', { usage_percent_min: 60, usage_percent_max: 60.2 }),
  fixed('bytes from 1 MB', { usage_bytes_min: 1_000_000 }),
  fixed('bytes from 500.0 to 500.1 MB', { usage_bytes_min: 500_000_000, usage_bytes_max: 500_100_000 }),
  fixed('bytes from 5.0 to 5.1 MB, sort iccid', {
    usage_bytes_min: 5_000_000,
    usage_bytes_max: 5_100_000,
    sort: 'iccid',
  }),
  fixed('bytes up to 2,000 (few)', { usage_bytes_max: 2000 }),
  fixed('bytes from 100 to 900 MB, sort cycle_usage_bytes', {
    usage_bytes_min: 100_000_000,
    usage_bytes_max: 900_000_000,
    sort: 'cycle_usage_bytes',
  }),
  fixed('online, sort -cycle_usage_bytes', { connection: ['online'], sort: '-cycle_usage_bytes' }),
  fixed('paused, sort -cycle_usage_bytes', { lifecycle: ['paused'], sort: '-cycle_usage_bytes' }),
  fixed('rare tag, sort -cycle_usage_bytes', { tags: [rareTag], sort: '-cycle_usage_bytes' }),
  fixed('name with a common word, sort cycle_usage_bytes', {
    device_name: 'berlin',
    sort: 'cycle_usage_bytes',
  }),
  fixed('cost from 100', { cost_min: 100 }),
  fixed('cost from 50.00 to 50.01 (few), sort -cost', { cost_min: 50, cost_max: 50.01, sort: '-cost' }),
  fixed('cost up to 150, sort cost', { cost_max: 150, sort: 'cost' }),
  fixed('cost from 20 to 20.50, sort -expires_at', { cost_min: 20, cost_max: 20.5, sort: '-expires_at' }),
  fixed('online, sort -cost', { connection: ['online'], sort: '-cost' }),
  fixed('name with a common word, sort cost', { device_name: 'berlin', sort: 'cost' }),
  fixed('absent cost', { cost_min: 1_000_000 }),
  fixed('absent amount of bytes', { usage_bytes_min: 2_000_000_000 }),
  fixed('shipped on a day', { shipment_from: dateAt(-300), shipment_to: dateAt(-300) }),
  fixed('shipped within a year, sort device_name', { shipment_from: dateAt(-365), sort: 'device_name' }),
  { name: 'activated on a day', query: () => ({ activated_from: at(-100), activated_to: at(-99) }) },
  { name: 'activated within a year', query: () => ({ activated_from: at(-365) }) },
  { name: 'ends on a day', query: () => ({ expires_from: at(100), expires_to: at(101) }) },
  {
    name: 'ends within a year, sort -device_name',
    query: () => ({ expires_to: at(365), sort: '-device_name' }),
  },
  {
    name: 'session within a minute',
    query: () => ({ last_session_from: at(-0.5), last_session_to: at(-0.5 + 1 / 1440) }),
  },
  { name: 'session before all', query: () => ({ last_session_to: at(-20) }) },
  { name: 'session within a day, sort iccid', query: () => ({ last_session_from: at(-1), sort: 'iccid' }) },
  fixed('device changed within a day', { imei_changed_within_days: 1 }),
  fixed('device changed within 90 days, sort device_name', {
    imei_changed_within_days: 90,
    sort: 'device_name',
  }),
  fixed('without a phone number (few)', { empty: ['msisdn'] }),
  fixed('with a phone number, sort -expires_at', { not_empty: ['msisdn'], sort: '-expires_at' }),
  fixed('rare tag, sort -last_session_at', { tags: [rareTag], sort: '-last_session_at' }),
  fixed('with notes, sort -last_session_at', { not_empty: ['notes'], sort: '-last_session_at' }),
  fixed('online, sort -last_session_at', { connection: ['online'], sort: '-last_session_at' }),
  fixed('over the limit, sort last_session_at', { over_limit: true, sort: 'last_session_at' }),
  fixed('name with a common word, sort last_session_at', { device_name: 'berlin', sort: 'last_session_at' }),
  fixed('with notes, sort -expires_at', { not_empty: ['notes'], sort: '-expires_at' }),
  fixed('without notes, sort -device_name', { empty: ['notes'], sort: '-device_name' }),
  fixed('without a name, sort -device_name', { empty: ['device_name'], sort: '-device_name' }),
  fixed('with a name, sort -device_name', { not_empty: ['device_name'], sort: '-device_name' }),
  fixed('without tags (none)', { empty: ['tags'] }),
  fixed('without an address', { empty: ['ip'] }),
  fixed('with an address, sort expires_at', { not_empty: ['ip'], sort: 'expires_at' }),
  fixed('without a session (none)', { empty: ['last_session_at'] }),
  fixed('without an IMEI (none)', { empty: ['last_imei'] }),
  {
    name: 'a thousand identifiers',
    query: ({ sims, random }) => ({
      identifiers: Array.from({ length: 1000 }, () => iccidOf(random(sims))),
      sort: '-device_name',
    }),
  },
];

/** Every filter, sort and kind of search, with few matches and with all, near pages and distant ones. */
export const listCases: readonly ListCase[] = [
  fixed('first page', {}),
  ...[
    'iccid',
    'device_name',
    'activated_at',
    'expires_at',
    'last_session_at',
    'cycle_usage_bytes',
    'cost',
  ].flatMap((column) => [
    fixed(`sort ${column}`, { sort: column }),
    fixed(`sort -${column}`, { sort: `-${column}` }),
  ]),
  {
    name: 'pages about the middle, at random',
    query: ({ sims, random }) => ({ page_no: middlePage(sims, random) }),
  },
  {
    name: 'pages about the middle, at random, sort expires_at',
    query: ({ sims, random }) => ({ page_no: middlePage(sims, random), sort: 'expires_at' }),
  },
  {
    name: 'cursor among what SIMs online used, sort -cycle_usage_bytes',
    query: ({ random }) => ({ page_no: 1 + random(100), sort: '-cycle_usage_bytes' }),
    byCursor: true,
  },
  { name: 'last page', query: ({ sims }) => ({ page_no: Math.min(100_000, Math.ceil(sims / pageSize)) }) },
  {
    name: 'cursor in the middle',
    query: ({ sims, random }) => ({ page_no: middlePage(sims, random), sort: 'iccid' }),
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
  { name: 'tag of some', query: ({ random }) => ({ tags: [`site-${random(2000)}`] }) },
  { name: 'bundle', query: ({ random }) => ({ bundle: [bundleCode(1 + random(8))] }) },
  fixed('absent bundle', { bundle: ['NONE'] }),
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
  { name: 'search a whole ICCID', query: ({ sims, random }) => ({ search: iccidOf(random(sims)) }) },
  { name: 'search a whole IMSI', query: ({ sims, random }) => ({ search: imsiOf(random(sims)) }) },
  {
    name: 'search the end of an ICCID',
    query: ({ sims, random }) => ({ search: iccidOf(random(sims)).slice(-6) }),
  },
  { name: 'search three digits', query: ({ random }) => ({ search: String(100 + random(900)) }) },
  fixed('search the start of all ICCIDs', { search: '8949030' }),
  fixed('search a common name', { search: 'berlin' }),
  fixed('search a common name, sort -device_name', { search: 'berlin', sort: '-device_name' }),
  fixed('search a rare name', { search: rareWord }),
  fixed('search within the notes', { search: 'by team 77' }),
  fixed('search two letters', { search: 'me' }),
  fixed('search one letter', { search: 'k' }),
  fixed('search two letters that begin a word in many, no field', { search: 'te' }),
  fixed('search a digit that nothing begins with', { search: '7' }),
  fixed('search what nothing has', { search: 'qqxzzy' }),
  fixed('search digits that nothing has', { search: '99999999999' }),
  fixed('search a common name, online', { search: 'tracker', connection: ['online'] }),
  fixed('search a common name, terminated, rare tag', {
    search: 'meter',
    lifecycle: ['terminated'],
    tags: [rareTag],
  }),
  ...advancedCases,
  ...countCases,
];

/** The address that `fill` assigns to the SIM with this id while it has a session. */
const addressOf = (id: number): string => `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`;

/** A page in the middle fifth. */
const middlePage = (sims: number, random: (below: number) => number): number => {
  const pages = Math.ceil(sims / pageSize);
  return Math.max(1, Math.floor(pages * 0.4) + random(Math.ceil(pages / 5)));
};
