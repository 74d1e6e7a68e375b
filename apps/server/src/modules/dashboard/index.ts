import { type DashboardOptions, dashboardRoutes } from './dashboard.routes.ts';

/** Read-only: lower tiers maintain every figure. */
export const dashboardModule = (options: DashboardOptions) => ({ routes: dashboardRoutes(options) });
