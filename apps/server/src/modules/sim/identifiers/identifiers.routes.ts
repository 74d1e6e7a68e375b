import { endpoints, limits } from '@simcube/contract';
import type { Db } from '../../../platform/db/index.ts';
import { readTable } from '../../../platform/files/index.ts';
import { type Route, route } from '../../../platform/http/index.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { firstColumn, resolveList } from './identifiers.rules.ts';
import { findIdentified } from './identifiers.views.ts';

const { sim } = endpoints;

export const identifierRoutes = ({ db }: { db: Db }): Route[] => [
  route(sim.resolveIdentifiers, async ({ org, body }) =>
    resolveList(body.identifiers, await findIdentified(db, scopedTo(org), body.identifiers)),
  ),
  route(sim.readIdentifiers, async ({ file }) => ({
    identifiers: firstColumn(await readTable(file, { maxRows: limits.bulkSearch, heading: false })),
  })),
];
