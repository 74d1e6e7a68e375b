import { type DashboardOptions, dashboardRoutes } from './dashboard.routes.ts';

/** Read-only: every figure comes from what the lower tiers keep up to date. */
export const dashboardModule = (options: DashboardOptions) => ({ routes: dashboardRoutes(options) });
