import { geoMercator, geoPath } from 'd3-geo';
import type { Geometry } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { countryNumbers } from './country-numbers.ts';
import { type Bounds, worldSize } from './mercator.ts';
import { smallCountries } from './small-country-numbers.ts';

/** A country on the interactive map. */
export interface Shape {
  /** ISO 3166-1 alpha-2; a few disputed areas have none. */
  country: string | undefined;
  /** Unique key. */
  key: string;
  path: string;
  /** Of its main part: left, top, right, bottom. */
  bounds: Bounds;
  centre: readonly [number, number];
}

/** `near`: 1:50m, with the small countries; else 1:110m. */
export type Scale = 'far' | 'near';

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>;

const worlds: Record<Scale, () => Promise<World>> = {
  far: async () => (await import('world-atlas/countries-110m.json')).default as unknown as World,
  near: async () => (await import('world-atlas/countries-50m.json')).default as unknown as World,
};

const loaded = new Map<Scale, Promise<readonly Shape[]>>();

/** The outlines of a scale, fetched once. */
export const shapesOf = (scale: Scale): Promise<readonly Shape[]> => {
  const found = loaded.get(scale) ?? worlds[scale]().then(shapesIn);
  loaded.set(scale, found);
  // A failed fetch is repeated at the next request.
  found.catch(() => loaded.delete(scale));
  return found;
};

/** The projection of `mercator.ts`, cut at the date line. */
const projection = geoMercator()
  .scale(worldSize / (2 * Math.PI))
  .translate([worldSize / 2, worldSize / 2])
  // The atlas's line segments are short, so the projection need not bend them.
  .precision(0);

const countryOf = (() => {
  const small = smallCountries.trim().split(/\s+/);
  const pairs = [...countryNumbers, ...small.map((pair) => [pair.slice(0, 2), pair.slice(2)] as const)];
  return new Map(pairs.map(([country, number]) => [number, country]));
})();

const shapesIn = (world: World): Shape[] => {
  const path = geoPath(projection).digits(2);
  return feature(world, world.objects.countries).features.map((one, index) => {
    const main = mainPart(one.geometry);
    const [[left, top], [right, bottom]] = path.bounds(main);
    return {
      country: one.id === undefined ? undefined : countryOf.get(String(one.id)),
      key: `${one.properties.name} ${index}`,
      path: path(one) ?? '',
      bounds: [left, top, right, bottom],
      centre: path.centroid(main),
    };
  });
};

/** The main part of a country: France without Guiana. */
const mainPart = (geometry: Geometry): Geometry => {
  if (geometry.type !== 'MultiPolygon') return geometry;
  const path = geoPath(projection);
  const parts = geometry.coordinates.map((coordinates) => ({ type: 'Polygon' as const, coordinates }));
  return parts.toSorted((one, other) => path.area(other) - path.area(one))[0] ?? geometry;
};
