import { accountEndpoints } from './account/endpoints.ts';
import { auditEndpoints } from './audit/endpoints.ts';
import { bundleEndpoints } from './bundle/endpoints.ts';
import { dashboardEndpoints } from './dashboard/endpoints.ts';
import { diagnoseEndpoints } from './diagnose/endpoints.ts';
import type { EndpointShape } from './endpoint.ts';
import { identityEndpoints } from './identity/endpoints.ts';
import { notifyEndpoints } from './notify/endpoints.ts';
import { orgEndpoints } from './org/endpoints.ts';
import { placeEndpoints } from './place/endpoints.ts';
import { simEndpoints } from './sim/endpoints.ts';
import { taskEndpoints } from './task/endpoints.ts';

/** Every call of the gateway, by domain. */
export const endpoints = {
  identity: identityEndpoints,
  org: orgEndpoints,
  account: accountEndpoints,
  audit: auditEndpoints,
  place: placeEndpoints,
  sim: simEndpoints,
  bundle: bundleEndpoints,
  dashboard: dashboardEndpoints,
  diagnose: diagnoseEndpoints,
  notify: notifyEndpoints,
  task: taskEndpoints,
} as const;

export const allEndpoints: readonly EndpointShape[] = Object.values(endpoints).flatMap((domain) =>
  Object.values<EndpointShape>(domain),
);
