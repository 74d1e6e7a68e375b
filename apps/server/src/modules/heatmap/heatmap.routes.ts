import { endpoints, limits } from '@simcube/contract';
import { addDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { fail, fileRoute, type Route, route, withAsOf } from '../../platform/http/index.ts';
import { cellsFile } from './cells.files.ts';
import { listCells } from './cells.views.ts';
import type { Box, Period } from './heatmap.rules.ts';
import { computedAt, getHeatmap, getHexagons } from './heatmap.views.ts';

/** Dates that JavaScript accepts but the database does not are rejected. */
const [firstDay, lastDay] = ['2000-01-01', '2199-12-31'];

/** @throws Failure CB-00-0400 if a period is reversed, too long, or out of range */
const validated = <P extends Period>(period: P): P => {
  const { from, to } = period;
  if (to < from) fail('CB-00-0400', { issues: [{ path: 'to', key: 'endBeforeStart' }] });
  if (from < firstDay)
    fail('CB-00-0400', { issues: [{ path: 'from', key: 'tooSmall', values: { min: firstDay } }] });
  if (to > lastDay) fail('CB-00-0400', { issues: [{ path: 'to', key: 'tooBig', values: { max: lastDay } }] });
  if (addDays(from, limits.heatmap.days) <= to) {
    const values = { max: limits.heatmap.days };
    fail('CB-00-0400', { issues: [{ path: 'to', key: 'spanTooLong', values }] });
  }
  return period;
};

/** @throws Failure CB-00-0400 if its north is south of its south; a west greater than its east crosses the date line */
const validatedBox = (box: Box): Box => {
  const { south, north } = box;
  if (north < south) {
    fail('CB-00-0400', { issues: [{ path: 'north', key: 'tooSmall', values: { min: south } }] });
  }
  return box;
};

export const heatmapRoutes = ({ pool, clock }: { pool: Sql; clock: Clock }): Route[] => {
  const { figures, hexagons, cells, cellsFile: file } = endpoints.heatmap;
  return [
    route(figures, async ({ org, query }) => {
      const request = { ...validated(query), orgId: org.id, now: clock.now() };
      const [result, asOf] = await Promise.all([getHeatmap(pool, request), computedAt(pool, request)]);
      return withAsOf(result, query.metric === 'usage' ? request.now : asOf);
    }),
    route(hexagons, async ({ org, query: { west, south, east, north, ...query } }) => {
      const request = { ...validated(query), orgId: org.id, now: clock.now() };
      const box = validatedBox({ west, south, east, north });
      const [result, asOf] = await Promise.all([getHexagons(pool, request, box), computedAt(pool, request)]);
      return withAsOf(result, asOf);
    }),
    route(cells, async ({ org, query }) => {
      const request = { ...validated(query), orgId: org.id };
      const asOf = clock.now();
      return withAsOf(await listCells(pool, request, limits.heatmap.cells), asOf);
    }),
    fileRoute(file, ({ org, query, language, timeZone }) =>
      cellsFile(pool, { ...validated(query), orgId: org.id, language, timeZone }),
    ),
  ];
};
