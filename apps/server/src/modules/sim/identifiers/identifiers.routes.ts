import { endpoints, languages, limits } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import type { Db } from '../../../platform/db/index.ts';
import { readTable } from '../../../platform/files/index.ts';
import { fail, type Route, route } from '../../../platform/http/index.ts';
import { maxRowsAbove } from '../columns.rules.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { identifiersOf, resolveList } from './identifiers.rules.ts';
import { findByIdentifiers } from './identifiers.views.ts';

const { sim } = endpoints;

const namesOf = (column: 'iccid' | 'imsi' | 'msisdn') =>
  languages.map((language) => phrase(language, `sim.columns.${column}`));
const headings = { iccid: namesOf('iccid'), imsi: namesOf('imsi'), msisdn: namesOf('msisdn') };

export const identifierRoutes = ({ db }: { db: Db }): Route[] => [
  route(sim.resolveIdentifiers, async ({ org, body }) =>
    resolveList(body.identifiers, await findByIdentifiers(db, scopedTo(org), body.identifiers)),
  ),
  route(sim.readIdentifiers, async ({ file, language }) => {
    const max = limits.bulkSearch;
    // A few rows more are allowed for an optional heading, and what is above it.
    const rows = await readTable(file, { maxRows: max + maxRowsAbove, heading: false, language });
    const identifiers =
      identifiersOf(rows, headings) ??
      fail('CB-09-0038', { values: { columns: phrase(language, 'sim.columns.iccid') } });
    if (identifiers.length > max) fail('CB-09-0005', { values: { max } });
    return identifiers.length > 0 ? { identifiers } : fail('CB-09-0007');
  }),
];
