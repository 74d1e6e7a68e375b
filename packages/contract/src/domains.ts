/**
 * All calls of the gateway, by domain. A page of the console bundles only the domains that it calls, provided that calls are
 * referenced in full (`endpoints.sim.list`); `const { sim } = endpoints` would bundle every domain.
 */
export { accountEndpoints as account } from './account/endpoints.ts';
export { auditEndpoints as audit } from './audit/endpoints.ts';
export { autoflowEndpoints as autoflow } from './autoflow/endpoints.ts';
export { bundleEndpoints as bundle } from './bundle/endpoints.ts';
export { cdrEndpoints as cdr } from './cdr/endpoints.ts';
export { dashboardEndpoints as dashboard } from './dashboard/endpoints.ts';
export { developerEndpoints as developer } from './developer/endpoints.ts';
export { diagnoseEndpoints as diagnose } from './diagnose/endpoints.ts';
export { financeEndpoints as finance } from './finance/endpoints.ts';
export { heatmapEndpoints as heatmap } from './heatmap/endpoints.ts';
export { identityEndpoints as identity } from './identity/endpoints.ts';
export { notifyEndpoints as notify } from './notify/endpoints.ts';
export { orgEndpoints as org } from './org/endpoints.ts';
export { placeEndpoints as place } from './place/endpoints.ts';
export { poolEndpoints as pool } from './pool/endpoints.ts';
export { priceEndpoints as price } from './price/endpoints.ts';
export { reportEndpoints as report } from './report/endpoints.ts';
export { scheduleEndpoints as schedule } from './schedule/endpoints.ts';
export { simEndpoints as sim } from './sim/endpoints.ts';
export { smsEndpoints as sms } from './sms/endpoints.ts';
export { taskEndpoints as task } from './task/endpoints.ts';
export { webhookEndpoints as webhook } from './webhook/endpoints.ts';
