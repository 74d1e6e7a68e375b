import { type Language, limits } from '@simcube/contract';
import { lifecycles, type StatusTrace } from '@simcube/contract/sim';
import type { FileFormat } from '@simcube/contract/task';
import { type PhraseKey, phrase } from '@simcube/phrases';
import type { Db } from '../../../platform/db/index.ts';
import { type Cell, localTimeFormatter, tableFile } from '../../../platform/files/index.ts';
import type { FileResponse } from '../../../platform/http/index.ts';
import { countRows, type List, readAll } from '../../../platform/lists/index.ts';
import { requireRows } from '../../task/index.ts';
import type { UsageViews } from '../sim.views.ts';
import type { OwnSim } from '../sim-scope.views.ts';
import { traceList } from './status-trace.views.ts';

export interface FileQuestion {
  sim: OwnSim;
  iccid: string;
  format: FileFormat;
  language: Language;
  timeZone: string;
}

const rowsAtOnce = 1000;

/**
 * A whole list for a file.
 * @throws Failure CB-09-0010, CB-09-0011: more than one response can contain
 */
export const allRows = async <Scope, Filter extends object, Row, Item>(
  db: Db,
  list: List<Scope, Filter, Row, Item>,
  question: { scope: Scope; filter: Filter; now: Date },
): Promise<Item[]> => {
  requireRows(await countRows(db, list, { ...question, most: limits.exportRows + 1 }));
  const found: Item[] = [];
  for await (const part of readAll(db, list, { ...question, atOnce: rowsAtOnce })) found.push(...part);
  return found;
};

/** The status trace, the newest first. */
export const traceFile = async (db: Db, question: FileQuestion & { now: Date }): Promise<FileResponse> => {
  const { sim, iccid, format, language, timeZone, now } = question;
  const events = await allRows(db, traceList, { scope: sim, filter: {}, now });
  const local = localTimeFormatter(timeZone);
  const word = (column: 'event' | 'facts' | 'actor' | 'task' | 'trace_id') =>
    phrase(language, `files.columns.${column}`);
  return tableFile({
    name: `status-trace-${iccid}`,
    format,
    heading: [
      `${phrase(language, 'files.columns.time')} (${timeZone})`,
      word('event'),
      word('facts'),
      word('actor'),
      word('task'),
      word('trace_id'),
    ],
    rows: events.map((event): Cell[] => [
      local(event.at),
      wordOr(language, `sim.events.kinds.${event.kind}`, event.kind),
      factsText(event.facts, language),
      event.actor,
      event.task_id,
      event.trace_id,
    ]),
  });
};

/** A kind or fact recorded by another version of the server has no phrase and is shown as stored. */
const wordOr = (language: Language, key: string, plain: string): string => {
  const found = phrase(language, key as PhraseKey);
  return found === key ? plain : found;
};

const factsText = (facts: StatusTrace['facts'], language: Language): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    // The database does not preserve the order of keys; "from" is shown before "to".
    .toSorted(([a], [b]) => Number(b === 'from') - Number(a === 'from'))
    .map(
      ([key, value]) => `${wordOr(language, `files.facts.${key}`, key)}: ${factText(key, value, language)}`,
    )
    .join('; ');

const factText = (key: string, value: string | number | boolean | null, language: Language): string => {
  const text = String(value);
  if (key === 'reason') return wordOr(language, `sim.events.reasons.${text}`, text);
  if (key === 'policy') return wordOr(language, `files.overage.${text}`, text);
  const isLifecycle = (key === 'from' || key === 'to') && (lifecycles as readonly string[]).includes(text);
  return isLifecycle ? wordOr(language, `sim.lifecycle.${text}`, text) : text;
};

export interface UsageFileQuestion extends FileQuestion {
  granularity: 'hour' | 'day' | 'month';
  from: string;
  to: string;
}

/** Usage by hour, day or month in UTC+0, as its cut-off; periods without usage are included, as in the chart. */
export const usageFile = async (usage: UsageViews, question: UsageFileQuestion): Promise<FileResponse> => {
  const { sim, iccid, format, language, granularity, from, to } = question;
  const { points, total_bytes } = await usage.simUsage(sim, { granularity, from, to });
  requireRows(total_bytes === 0 ? 0 : points.length);
  const word = (column: 'period' | 'up' | 'down' | 'total') => phrase(language, `files.columns.${column}`);
  return tableFile({
    name: `usage-${iccid}-${from}-${to}`,
    format,
    heading: [`${word('period')} (UTC)`, word('up'), word('down'), word('total')],
    rows: points.map((point): Cell[] => [
      point.at.slice(0, 16).replace('T', ' '),
      point.up_bytes,
      point.down_bytes,
      point.up_bytes + point.down_bytes,
    ]),
  });
};
