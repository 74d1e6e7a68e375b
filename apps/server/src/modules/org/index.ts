import type pg from 'pg';
import { orgRoutes } from './org.routes.ts';
import { createOrg } from './org.service.ts';

export { type OrgsContext, orgCommands } from './org.cli.ts';
export type { OrganisationRow } from './org.queries.ts';

export const orgModule = ({ pool }: { pool: pg.Pool }) => ({
  routes: orgRoutes({ pool }),
  ...createOrg({ pool }),
});
