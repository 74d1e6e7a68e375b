import type pg from 'pg';
import { createGeocoder, type MapsService } from './geocode.service.ts';
import { placeJobs } from './place.jobs.ts';
import { placeRoutes } from './place.routes.ts';

export { cellCommands as placeCommands } from './cells.cli.ts';
export { importCells } from './cells.service.ts';
export { findTown, type MapsService } from './geocode.service.ts';
export { type Coordinates, finestResolution, hexagonsOfWorld, indexOf, shapeOf } from './hexagon.rules.ts';
export { cellsImported } from './place.events.ts';

export interface PlaceOptions {
  pool: pg.Pool;
  /** If omitted, places are named from built-in data. */
  maps?: MapsService | undefined;
}

export const placeModule = ({ pool, maps }: PlaceOptions) => ({
  routes: placeRoutes(createGeocoder(maps)),
  jobs: placeJobs({ pool }),
});
