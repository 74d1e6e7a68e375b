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

export interface SimFileRequest {
  sim: OwnSim;
  iccid: string;
  format: FileFormat;
  language: Language;
  timeZone: string;
}

const batchSize = 1000;

/**
 * A whole list for a file.
 * @throws Failure CB-09-0010, CB-09-0011: more than one response can contain
 */
export const allRows = async <Scope, Filter extends object, Row, Item>(
  db: Db,
  list: List<Scope, Filter, Row, Item>,
  query: { scope: Scope; filter: Filter; now: Date },
): Promise<Item[]> => {
  requireRows(await countRows(db, list, { ...query, most: limits.exportRows + 1 }));
  const items: Item[] = [];
  for await (const batch of readAll(db, list, { ...query, atOnce: batchSize })) items.push(...batch);
  return items;
};

/** The status trace, the newest first. */
export const traceFile = async (db: Db, request: SimFileRequest & { now: Date }): Promise<FileResponse> => {
  const { sim, iccid, format, language, timeZone, now } = request;
  const events = await allRows(db, traceList, { scope: sim, filter: {}, now });
  const local = localTimeFormatter(timeZone);
  const heading = (column: 'event' | 'facts' | 'actor' | 'task' | 'trace_id') =>
    phrase(language, `files.columns.${column}`);
  return tableFile({
    name: `status-trace-${iccid}`,
    format,
    heading: [
      `${phrase(language, 'files.columns.time')} (${timeZone})`,
      heading('event'),
      heading('facts'),
      heading('actor'),
      heading('task'),
      heading('trace_id'),
    ],
    rows: events.map((event): Cell[] => [
      local(event.at),
      phraseOr(language, `sim.events.kinds.${event.kind}`, event.kind),
      factsText(event.facts, language),
      event.actor,
      event.task_id,
      event.trace_id,
    ]),
  });
};

/** A kind or fact recorded by another version of the server has no phrase and is shown as stored. */
const phraseOr = (language: Language, key: string, fallback: string): string => {
  const translated = phrase(language, key as PhraseKey);
  return translated === key ? fallback : translated;
};

const factsText = (facts: StatusTrace['facts'], language: Language): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    // The database does not preserve the order of keys; "from" is shown before "to".
    .toSorted(([a], [b]) => Number(b === 'from') - Number(a === 'from'))
    .map(
      ([key, value]) => `${phraseOr(language, `files.facts.${key}`, key)}: ${factText(key, value, language)}`,
    )
    .join('; ');

const factText = (key: string, value: string | number | boolean | null, language: Language): string => {
  const text = String(value);
  if (key === 'reason') return phraseOr(language, `sim.events.reasons.${text}`, text);
  if (key === 'policy') return phraseOr(language, `files.overage.${text}`, text);
  const isLifecycle = (key === 'from' || key === 'to') && (lifecycles as readonly string[]).includes(text);
  return isLifecycle ? phraseOr(language, `sim.lifecycle.${text}`, text) : text;
};

export interface UsageFileRequest extends SimFileRequest {
  granularity: 'hour' | 'day' | 'month';
  from: string;
  to: string;
}

/** Usage by hour, day or month in UTC+0, as its cut-off; periods without usage are included, as in the chart. */
export const usageFile = async (usage: UsageViews, request: UsageFileRequest): Promise<FileResponse> => {
  const { sim, iccid, format, language, granularity, from, to } = request;
  const { points, total_bytes } = await usage.simUsage(sim, { granularity, from, to });
  requireRows(total_bytes === 0 ? 0 : points.length);
  const heading = (column: 'period' | 'up' | 'down' | 'total') => phrase(language, `files.columns.${column}`);
  return tableFile({
    name: `usage-${iccid}-${from}-${to}`,
    format,
    heading: [`${heading('period')} (UTC)`, heading('up'), heading('down'), heading('total')],
    rows: points.map((point): Cell[] => [
      point.at.slice(0, 16).replace('T', ' '),
      point.up_bytes,
      point.down_bytes,
      point.up_bytes + point.down_bytes,
    ]),
  });
};
