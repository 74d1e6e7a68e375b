import { lazyPart } from '../../lib/chunks/index.ts';
import { countryNumbers } from './country-numbers.ts';

export type { HeatMapProps, MapCountry, MapHexagon, Place } from './heat-map.tsx';
export type { Box } from './mercator.ts';
export type { MapPoint, WorldMapProps } from './world-map.tsx';

/** In a separate chunk with its outlines: about 60 kB compressed, fetched when the first map is shown. */
export const WorldMap = lazyPart(async () => (await import('./world-map.tsx')).WorldMap);

/** Whether the map has an outline of the country: the smallest ones have none at this scale. */
export const hasOutline = (country: string): boolean => countryNumbers.has(country);

/** The world by amounts, in a separate chunk; its outlines are fetched separately, finer ones when zoomed in. */
export const HeatMap = lazyPart(async () => (await import('./heat-map.tsx')).HeatMap);
