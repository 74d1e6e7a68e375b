import { otherImei, type SimDevice } from './demo-devices.ts';
import { type DeviceUsage, usageOf } from './device-usage.ts';
import { Random, seedOf } from './random.ts';
import { dayMs, hourMs, secondMs } from './time.ts';

/** One usage record, as in a CDR file. Times are ISO 8601 in UTC. */
export interface HistoryRow {
  imsi: string;
  iccid: string;
  started_at: string;
  ended_at: string;
  session_id: string;
  up_bytes: number;
  down_bytes: number;
  mcc: string;
  mnc: string;
  rat: string;
  imei: string;
  apn: string;
  /** In the format of `cellKey` of the RADIUS package; empty if unknown. */
  cell: string;
}

export interface HistoryOptions<D extends SimDevice = SimDevice> {
  devices: readonly D[];
  seed: number;
  /** End of the history (milliseconds since 1970): the last record of each device ends here. */
  untilMs: number;
  days: number;
  /** Number of last days with a row per hour; before them there are three rows per day (a month ago twelve), then one. Default 3. */
  detailDays?: number;
  /** Period in which a SIM was in use (half-open, milliseconds); undefined: never. Default: always. */
  activeWindow?: (device: D) => { fromMs: number; untilMs: number } | undefined;
}

export const historyColumns = [
  'imsi',
  'iccid',
  'started_at',
  'ended_at',
  'session_id',
  'up_bytes',
  'down_bytes',
  'mcc',
  'mnc',
  'rat',
  'imei',
  'apn',
  'cell',
] as const satisfies readonly (keyof HistoryRow)[];

/** Data that is looked up once per device, not for each of its days. */
interface Subject {
  device: SimDevice;
  usage: DeviceUsage;
  seed: number;
  fromMs: number;
  untilMs: number;
  /** Before this, the SIM was in another device. */
  imeiChangeMs: number;
  previousImei: string;
}

/** One SIM in thirty was moved to another device during the history. */
const IMEI_CHANGE_CHANCE = 1 / 30;
/** A record begins at most this many minutes after the start of its span. */
const LATEST_START_MINUTES = 20;
/**
 * Number of days before the hourly ones whose spans end with the business days at UTC+8 (16:00 UTC), so that days add up exactly:
 * with the hourly ones, more than the longest period that charts by day show at once.
 */
const EVEN_DAYS = 30;
const EVEN_SPAN_HOURS = 8;
/**
 * The dashboard compares the usage of the cycle with that up to the same time a month ago, which counts only spans that had ended by
 * then: they are short around that day, and on the days that follow it, which are compared on the next days. The last day is day 1.
 */
const MONTH_AGO_DAYS = { latest: 27, earliest: 32 };
const MONTH_AGO_SPAN_HOURS = 2;
/** Gateways end sessions after at most this many days; those of different devices on different days. */
const SESSION_DAYS = 7;

/** Generates half a year of a fleet in a second or two: rows in order of days, always the same for the same options. */
export function* history<D extends SimDevice>(
  options: HistoryOptions<D>,
): Generator<HistoryRow, void, undefined> {
  const { untilMs, days, detailDays = 3 } = options;
  const firstDay = Math.floor(untilMs / dayMs) - days + 1;
  const firstMs = firstDay * dayMs;
  const subjects = options.devices.flatMap((device) => createSubject(device, { ...options, firstMs }));
  for (let day = firstDay; day < firstDay + days; day += 1) {
    const spanHours = spanHoursAt(firstDay + days - day, detailDays);
    const date = new Date(day * dayMs).toISOString().slice(0, 10);
    for (const subject of subjects) {
      for (const row of rowsOfDay({ subject, day, spanHours, date })) yield row;
    }
  }
}

/** Length of a row in hours; the last day of the history is the first of the days that are left. */
function spanHoursAt(daysLeft: number, detailDays: number): number {
  if (daysLeft <= detailDays) return 1;
  if (daysLeft >= MONTH_AGO_DAYS.latest && daysLeft <= MONTH_AGO_DAYS.earliest) return MONTH_AGO_SPAN_HOURS;
  return daysLeft <= detailDays + EVEN_DAYS ? EVEN_SPAN_HOURS : 24;
}

function createSubject<D extends SimDevice>(
  device: D,
  options: HistoryOptions<D> & { firstMs: number },
): Subject[] {
  const { seed, untilMs, firstMs, days, activeWindow } = options;
  const window = activeWindow === undefined ? { fromMs: firstMs, untilMs } : activeWindow(device);
  if (window === undefined) return [];
  const ownSeed = seedOf(device.imsi);
  const random = new Random(seed, ownSeed);
  return [
    {
      device,
      usage: usageOf(device, seed),
      seed: ownSeed,
      fromMs: Math.max(firstMs, window.fromMs),
      untilMs: Math.min(untilMs, window.untilMs),
      imeiChangeMs: random.chance(IMEI_CHANGE_CHANCE) ? firstMs + random.next() * days * dayMs : 0,
      previousImei: otherImei(device, 0),
    },
  ];
}

interface DayOfSubject {
  subject: Subject;
  day: number;
  spanHours: number;
  /** The date in ISO format, created once for all devices of a day. */
  date: string;
}

/** A record contains the usage of its whole span, so that days and hours add up at any granularity. */
function rowsOfDay({ subject, day, spanHours, date }: DayOfSubject): HistoryRow[] {
  const { usage, device } = subject;
  const { kind } = usage;
  const rows: HistoryRow[] = [];
  const midnight = day * dayMs;
  if (midnight + dayMs <= subject.fromMs || midnight >= subject.untilMs) return rows;
  if (usage.factorOn(day) === 0) return rows;
  const random = new Random(subject.seed, day);
  for (let hour = 0; hour < 24; hour += spanHours) {
    const minute = random.integer(LATEST_START_MINUTES);
    const spanMs = midnight + hour * hourMs;
    const fromMs = Math.max(spanMs, subject.fromMs);
    const toMs = Math.min(spanMs + spanHours * hourMs, subject.untilMs);
    if (toMs - fromMs < secondMs) continue;
    const isWhole = toMs - fromMs === spanHours * hourMs;
    const { operator, radio, cell } = usage.mobility.at(fromMs);
    const share = usage.shareOf(fromMs, toMs);
    rows.push({
      imsi: device.imsi,
      iccid: device.iccid,
      started_at: isWhole ? `${date}T${twoDigits(hour)}:${twoDigits(minute)}:00.000Z` : iso(fromMs),
      ended_at: isWhole ? `${date}T${twoDigits(hour + spanHours - 1)}:59:59.000Z` : iso(toMs - 1),
      session_id: `H${device.imsi.slice(-9)}-${Math.floor((day + (subject.seed % SESSION_DAYS)) / SESSION_DAYS)}`,
      up_bytes: Math.round(kind.dailyUpBytes * share),
      down_bytes: Math.round(kind.dailyDownBytes * share),
      mcc: operator.mcc,
      mnc: operator.mnc,
      rat: radio,
      imei: fromMs < subject.imeiChangeMs ? subject.previousImei : device.imei,
      apn: device.apn,
      cell: cell?.key ?? '',
    });
  }
  return rows;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));
