import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { fileFormats } from '../task/schemas.ts';
import {
  heatmapCellsFileSchema,
  heatmapCellsQuerySchema,
  heatmapCellsSchema,
  heatmapQueryShape,
  heatmapSchema,
  hexagonsSchema,
} from './schemas.ts';

const signedIn = { kind: 'signed-in', member: true } as const;

/** Degrees, as a number in the query. */
const degrees = (max: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,15})?$/)
    .transform(Number)
    .pipe(z.number().min(-max).max(max));

export const heatmapEndpoints = {
  figures: endpoint({
    id: 'heatmap.figures',
    method: 'GET',
    path: '/cube/dashboard/heatmap',
    summary: 'Usage, active SIMs or sessions by country, operator and day',
    access: signedIn,
    query: z.strictObject(heatmapQueryShape),
    response: heatmapSchema,
    errors: [],
    retry: 'safe',
  }),
  hexagons: endpoint({
    id: 'heatmap.hexagons',
    method: 'GET',
    path: '/cube/dashboard/heatmap/hexagons',
    summary: 'The same by the hexagons that contain cells, at most 5,000 in the requested part of the world',
    access: signedIn,
    query: z.strictObject({
      ...heatmapQueryShape,
      west: degrees(180),
      south: degrees(90),
      east: degrees(180),
      north: degrees(90),
    }),
    response: hexagonsSchema,
    errors: [],
    retry: 'safe',
  }),
  cells: endpoint({
    id: 'heatmap.cells',
    method: 'GET',
    path: '/cube/dashboard/heatmap/cells',
    summary: 'Cells with usage in a country, by usage in descending order, at most 1,000',
    access: signedIn,
    query: heatmapCellsQuerySchema,
    response: heatmapCellsSchema,
    errors: [],
    retry: 'safe',
  }),
  cellsFile: endpoint({
    id: 'heatmap.cellsFile',
    method: 'GET',
    path: '/cube/dashboard/heatmap/cells/file',
    summary: 'The same as a file, at most 100,000 cells',
    access: signedIn,
    query: heatmapCellsFileSchema,
    response: 'file',
    formats: fileFormats,
    errors: ['CB-09-0010', 'CB-09-0011'],
    retry: 'safe',
    weight: 10,
  }),
} as const;
