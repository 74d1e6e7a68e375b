import { geoEquirectangular, geoPath } from 'd3-geo';
import type { Geometry } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';
import { countryNumbers } from './country-numbers.ts';

/** Size of the whole map in its own units. */
export const world = { width: 960, height: 480 } as const;

export interface Outline {
  /** ISO 3166-1 number; a few disputed areas have none. */
  number: string | null;
  name: string;
  /** An SVG path. */
  path: string;
  /** Left, top, right, bottom. */
  bounds: readonly [number, number, number, number];
}

const projection = geoEquirectangular()
  .scale(world.width / (2 * Math.PI))
  .translate([world.width / 2, world.height / 2]);

/** The structure of the atlas file; TypeScript infers no literal types from JSON. */
const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;

export const outlines: readonly Outline[] = feature(topology, topology.objects.countries).features.map(
  (one) => {
    const path = geoPath(projection);
    // Bounds of the main part: France without Guiana, Norway without Svalbard.
    const main = mainPart(one.geometry);
    const [[left, top], [right, bottom]] = path.bounds(main);
    return {
      number: one.id === undefined ? null : String(one.id),
      name: one.properties.name,
      path: path(one) ?? '',
      bounds: [left, top, right, bottom],
    };
  },
);

const byNumber = new Map(outlines.map((outline) => [outline.number, outline]));

/** The outline of a country by its ISO 3166-1 alpha-2 code; the smallest ones have none at this scale. */
export const outlineOf = (country: string): Outline | undefined => {
  const number = countryNumbers.get(country);
  return number === undefined ? undefined : byNumber.get(number);
};

/** The position of a place on the map. */
export const positionOf = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  projection([longitude, latitude]) ?? [world.width / 2, world.height / 2];

function mainPart(shape: Geometry): Geometry {
  if (shape.type !== 'MultiPolygon') return shape;
  const path = geoPath(projection);
  const parts = shape.coordinates.map((coordinates) => ({ type: 'Polygon' as const, coordinates }));
  return parts.toSorted((one, other) => path.area(other) - path.area(one))[0] ?? shape;
}
