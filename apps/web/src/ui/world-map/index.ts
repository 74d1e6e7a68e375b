import { lazy } from 'react';
import { countryNumbers } from './country-numbers.ts';

export type { HeatMapProps, MapCountry, MapHexagon, Place } from './heat-map.tsx';
export type { Box } from './mercator.ts';
export type { MapPoint, WorldMapProps } from './world-map.tsx';

/** In a chunk of its own with its outlines: about 60 kB compressed, fetched when the first map is shown. */
export const WorldMap = lazy(async () => ({ default: (await import('./world-map.tsx')).WorldMap }));

/** Whether the map has an outline of the country: the smallest ones have none at this scale. */
export const hasOutline = (country: string): boolean => countryNumbers.has(country);

/** The world by amounts, in a chunk of its own; its outlines are fetched beside it, finer ones where it is near. */
export const HeatMap = lazy(async () => ({ default: (await import('./heat-map.tsx')).HeatMap }));
