import { endpoints, limits } from '@simcube/contract';
import type { Db } from '../../../platform/db/index.ts';
import { readTable } from '../../../platform/files/index.ts';
import { fail, type Route, route } from '../../../platform/http/index.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { firstColumn, resolveList } from './identifiers.rules.ts';
import { findByIdentifiers } from './identifiers.views.ts';

const { sim } = endpoints;

export const identifierRoutes = ({ db }: { db: Db }): Route[] => [
  route(sim.resolveIdentifiers, async ({ org, body }) =>
    resolveList(body.identifiers, await findByIdentifiers(db, scopedTo(org), body.identifiers)),
  ),
  route(sim.readIdentifiers, async ({ file, language }) => {
    const max = limits.bulkSearch;
    const identifiers = firstColumn(await readTable(file, { maxRows: max, heading: false, language }));
    // One row more is allowed for an optional heading.
    if (identifiers.length > max) fail('CB-09-0005', { values: { max } });
    return { identifiers };
  }),
];
