import { endpoints } from '@simcube/contract';
import type { HeatmapMetric } from '@simcube/contract/heatmap';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import type { Box } from '../../../ui/world-map/index.ts';
import type { Days } from '../period.ts';
import type { HeatmapSearch } from '../search.ts';

export interface Question extends Days, Pick<HeatmapSearch, 'country' | 'network' | 'radio'> {
  metric: HeatmapMetric;
}

const again = { refetchInterval: 120_000, placeholderData: keepPreviousData } as const;

export const useFigures = (question: Question) =>
  useAnswer({ ...endpointQuery(endpoints.heatmap.figures, { query: question }), ...again });

/** Hexagons of a part of the world; nothing is requested before that is known, or while hexagons are not shown. */
export const useHexagons = (question: Question, box: Box | undefined) => {
  const part = snapped(box ?? { west: -180, south: -85, east: 180, north: 85 });
  const query = {
    ...question,
    west: String(part.west),
    south: String(part.south),
    east: String(part.east),
    north: String(part.north),
  };
  return useAnswer({
    ...endpointQuery(endpoints.heatmap.hexagons, { query }),
    ...again,
    enabled: box !== undefined,
  });
};

export interface CellsQuestion extends Omit<Question, 'metric' | 'country'> {
  country: string;
}

export const useCells = (question: CellsQuestion) =>
  useAnswer({ ...endpointQuery(endpoints.heatmap.cells, { query: question }), ...again });

/** Slightly more than the visible part, aligned to a grid: moving the map a little needs no new request. */
export const snapped = ({ west, south, east, north }: Box): Box => {
  const step = 2 ** Math.round(Math.log2(Math.max(0.01, (east - west) / 4)));
  const out = (value: number, round: (value: number) => number, most: number) =>
    Math.max(-most, Math.min(most, Math.round(round(value / step) * step * 1000) / 1000));
  return {
    west: out(west, Math.floor, 180),
    south: out(south, Math.floor, 85),
    east: out(east, Math.ceil, 180),
    north: out(north, Math.ceil, 85),
  };
};
