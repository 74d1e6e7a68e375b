import type pg from 'pg';
import { orgRoutes } from './org.routes.ts';
import { createOrg } from './org.service.ts';

export { orgCommands } from './org.cli.ts';

export const orgModule = ({ pool }: { pool: pg.Pool }) => ({
  routes: orgRoutes({ pool }),
  ...createOrg({ pool }),
});
