import { endpoints } from '@simcube/contract';
import type { HeatmapMetric } from '@simcube/contract/heatmap';
import { keepPreviousData, type QueryKey } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import type { Box } from '../../../ui/world-map/index.ts';
import type { Days } from '../period.ts';
import type { HeatmapSearch } from '../search.ts';

export interface FiguresRequest extends Days, Pick<HeatmapSearch, 'country' | 'network' | 'radio'> {
  metric: HeatmapMetric;
}

const polling = { refetchInterval: 120_000 } as const;

/** Keeps the previous response meanwhile, unless it is of another metric: its amounts have another unit. */
const keepSameMetric =
  (metric: HeatmapMetric) =>
  <T>(previous: T | undefined, previousQuery: { queryKey: QueryKey } | undefined): T | undefined =>
    metricOf(previousQuery?.queryKey) === metric ? previous : undefined;

export const useFigures = (request: FiguresRequest) =>
  useApiQuery({
    ...endpointQuery(endpoints.heatmap.figures, { query: request }),
    ...polling,
    placeholderData: keepSameMetric(request.metric),
  });

/** Hexagons of a part of the world; nothing is requested before that is known, or while hexagons are not shown. */
export const useHexagons = (request: FiguresRequest, box: Box | undefined) => {
  const part = snapToGrid(box ?? { west: -180, south: -85, east: 180, north: 85 });
  const query = {
    ...request,
    west: String(part.west),
    south: String(part.south),
    east: String(part.east),
    north: String(part.north),
  };
  return useApiQuery({
    ...endpointQuery(endpoints.heatmap.hexagons, { query }),
    ...polling,
    placeholderData: keepSameMetric(request.metric),
    enabled: box !== undefined,
  });
};

const metricOf = (key: QueryKey | undefined): string | undefined =>
  (key?.[1] as { query: FiguresRequest } | undefined)?.query.metric;

export interface CellsRequest extends Omit<FiguresRequest, 'metric' | 'country'> {
  country: string;
}

export const useCells = (request: CellsRequest) =>
  useApiQuery({
    ...endpointQuery(endpoints.heatmap.cells, { query: request }),
    ...polling,
    placeholderData: keepPreviousData,
  });

/** Slightly more than the visible part, aligned to a grid: moving the map a little needs no new request. */
export const snapToGrid = ({ west, south, east, north }: Box): Box => {
  const step = 2 ** Math.round(Math.log2(Math.max(0.01, (east - west) / 4)));
  const out = (value: number, round: (value: number) => number, max: number) =>
    Math.max(-max, Math.min(max, Math.round(round(value / step) * step * 1000) / 1000));
  return {
    west: out(west, Math.floor, 180),
    south: out(south, Math.floor, 85),
    east: out(east, Math.ceil, 180),
    north: out(north, Math.ceil, 85),
  };
};
