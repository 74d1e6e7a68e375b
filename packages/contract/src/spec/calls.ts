import type { Method } from '../endpoint.ts';

/** One call of the specification's section 7, as the gateway serves it. */
export interface SpecCall {
  group: string;
  method: Method;
  /** Service prefix and the specification's path; parameter names are arbitrary. */
  path: `/${string}`;
}

type CallLine =
  | `${Method} /${string}`
  | `${Method},${Method} /${string}`
  | `${Method},${Method},${Method} /${string}`;

/** Expands `GET,POST /path` lines below one prefix. */
const group = (name: string, prefix: `/${string}` | '', lines: readonly CallLine[]): SpecCall[] =>
  lines.flatMap((line) => {
    const [methods = '', path = ''] = line.split(' ');
    return methods.split(',').map(
      (method): SpecCall => ({
        group: name,
        method: method as Method,
        path: `${prefix}${path}` as `/${string}`,
      }),
    );
  });

/**
 * All calls of the specification's section 7, in its order. Its abbreviations ("and /batch", ".../x") are expanded with the
 * preceding path; calls that it names without a path have a path chosen by this project.
 */
export const specCalls: readonly SpecCall[] = [
  ...group('Dashboard and SIM', '/cube', [
    'GET /dashboard/card',
    'GET /dashboard/statistics',
    'GET /dashboard/rank',
    'GET /dashboard/lifecycleCount',
    'GET /sms/usage',
    'POST /sim/list/es',
    'POST /sim/service/list',
    'POST /sim/service/list/export',
    'POST /sim/list/export/task',
    'POST /sim/resume',
    'POST /sim/suspend',
    'POST /sim/active',
    'POST /sim/preActiveValidated',
    'POST /sim/deviceName',
    'POST /sim/transfer',
    'POST /sim/transfer/parse/{x}',
    'POST /device/reset',
    'POST /device/saveTag',
    'POST /device/tag',
    'POST /device/saveNote',
    'POST /device/bundle',
    'POST /device/cycle',
    'POST /device/cycle/export',
    'POST /device/coverCountry/export',
    'POST /device/bundle/export',
    'GET /sim/basic',
    'GET /sim/connection',
    'GET /sim/connection/status',
    'GET /sim/service',
    'GET /sim/event',
    'GET /sim/details',
    'GET /sim/usage',
    'GET /sim/bundle',
    'GET /sim/sms',
    'GET /sim/statusTrace',
    'GET /sim/statusTraceDownload',
    'GET /sim/spec/{x}',
    'GET /sim/getAllPackageService/{x}',
    'GET /sim/bundle/detail/{a}/{b}/{c}',
    'GET /sim/bundle/coverage/{x}',
    'GET /sim/bundle/overuse_policy/{x}',
    'GET /sim/belong_org/{x}',
    'GET /sim/transfer/template/{x}',
    'GET /sim/uploadInfo/template/{x}',
    'POST /sim/organizationCode/{code}/batchUpdateInfo',
    'POST /sim/organizationCode/{code}/batchUpdateInfo/parse',
  ]),
  // Needs no sign-in.
  ...group('Public diagnose', '/public-sphere', [
    'GET /cube/sims/diagnose/{x}',
    'GET /cube/sims/diagnose/{x}/pdf',
  ]),
  ...group('Reports', '/cube', [
    'GET /report/config/hasReportConfig/{x}',
    'POST /report/reports/{x}',
    'GET /report/{a}/{b}/download',
    'POST /report/config/list',
    'POST /report/config/cube',
  ]),
  ...group('SMS', '/cube', [
    'POST /sms/list',
    'POST /sms/reply',
    'POST /sms/send',
    'POST /sms/list/download',
    'POST /sms/generateSMSMtTaskReport',
    'POST /sms/generateSMSMoTaskReport',
    'GET /sms/sendTemplate',
    'GET /sms/org/remain_usage',
    'GET /sms/auto/config/has_sms_config/{x}',
    'GET /orgs/smsOperService',
    'GET,PUT /orgs/smsOperService/{x}',
  ]),
  ...group('Customer service', '/customer', [
    'POST /sms/task/list',
    'POST /sms/task',
    'POST /sms/task/update',
    'POST /sms/detail/list',
    'POST /operation/log/list',
    'DELETE /sms/task',
    'GET /sms/task/detail/{id}',
    'GET /sms/sim/download/csv',
    'PUT /sms/task/status',
  ]),
  ...group('Organisations and accounts', '/customer', [
    'GET,POST /orgs',
    'POST /orgs/{id}',
    'GET /org/user/config/{x}',
    'GET /org/user/config/user_surplus/{x}',
    'GET /sub_org_qty_setting/verify/{x}',
    'GET /enterprises/selectByOrgCode/{x}',
    'PUT /enterprises',
    'DELETE /enterprises/delete/cube/{x}',
    'GET /partner/{a}/accounts',
    'GET /partner/{a}/accounts/{b}',
    'POST /accounts',
    'PUT /accounts/{id}',
    'PUT /accounts/oversight/{id}',
    'GET /accounts/{id}/partners',
    'PATCH /change_status/accounts/{id}',
    'PATCH /reset_password/accounts/{id}',
  ]),
  ...group('Identity', '/identity', [
    'POST /sso/signin/direct/cube',
    'POST /sso/signin/direct/cube/invited',
    'POST /sso/signin/signout/cube',
    'POST /sso/signin/forget/cube/password/send',
    'POST /sso/signin/forget/cube/password/reset',
    'POST /crud/admin/cube/users/user/cube/password/reset',
    'POST,DELETE /info/cube/invites',
    'POST /accept/info/cube/invites',
    'GET /info/cube/users/{id}/permissions',
    'DELETE /permission/info/cube/permissions/{a}/{b}',
    'DELETE /permission/info/cube/permissions/batch',
    'PUT /permission/info/cube/{a}/current/{b}',
    'PUT /permission/info/cube/permissions/name',
    'PUT /permission/info/cube/permission/refresh',
    'GET /sse/connect',
  ]),
  ...group('Rules engine', '/rule-engine', [
    'GET,POST,PUT /auto_flow/cube/rules',
    'GET /auto_flow/cube/rules/{id}/detail',
    'PUT /auto_flow/cube/rules/{id}/{state}',
    'DELETE /auto_flow/cube/rules/{id}',
    'GET /auto_flow/cube/triggers/{x}',
    'POST /auto_flow/cube/scopes/validate',
    'POST /auto_flow/cube/imei_change/file/validate',
    // "scope_file template downloads": one per kind of file.
    'GET /auto_flow/cube/scope_file/template/{x}',
    'GET /auto_flow/cube/rules/{id}/trigger_actions',
    'GET /auto_flow/cube/rules/{id}/change_records',
    'GET /auto_flow/cube/rules/{id}/sims',
    'GET /auto_flow/cube/rules/{id}/sims/download',
    'POST /auto_flow/cube/try_it_out/body',
    'POST /auto_flow/cube/try_it_out/send',
    'GET /auto_flow/sphere/countries',
  ]),
  ...group('Developer', '/cube', [
    'GET,POST /developer/key/api',
    'DELETE /developer/key/api/{id}',
    'GET,PUT /developer/key/notification/{id}',
    'PUT /developer/key/notification/webhookStatus/{id}',
    'PUT /developer/key/notification/callbackUrl/{id}',
    'POST /developer/log/api',
    'GET /developer/log/notification/type',
    'POST /developer/log/notification',
    'POST /developer/log/notification/{id}',
  ]),
  ...group('Jobs', '/job-service', [
    'GET /rest/job/my',
    'GET /rest/job/my/{id}',
    'GET /rest/job/my/oneTimeToken',
    'GET /rest/logs/provider/result/{x}',
    'GET,PUT,POST /rest/subscribe/group',
    // "with an SMS variant"
    'GET,PUT,POST /rest/subscribe/group/sms',
  ]),
  // "A public download by job id": the one-time token stands for the sign-in.
  ...group('Jobs', '/public-sphere', ['GET /rest/job/{id}/download']),
  ...group('Shared pool', '/data-pool', [
    'GET /shared_pool/cube/pools/quick_search',
    'GET /shared_pool/cube/pools/{id}/detail',
    'GET /shared_pool/cube/pools/{id}/settings',
    'GET /shared_pool/cube/pools/{id}/activity',
    'GET /shared_pool/cube/{x}/pools',
    'GET /shared_pool/cube/events',
    'GET /shared_pool/cube/events/{id}/detail',
    'GET /shared_pool/cube/dashboard/pools',
    'GET /shared_pool/cube/dashboard/{id}/real_time_data',
    'GET /shared_pool/cube/dashboard/{id}/line_chart',
    'GET /shared_pool/cube/dashboard/{id}/bar_chart',
    'GET /shared_pool/cube/dashboard/{id}/sim_usage_rank',
    'GET /shared_pool/cube/dashboard/{id}/sims',
    'PUT /shared_pool/cube/pool/{id}/name',
  ]),
  // These paths of the specification already include their service prefix.
  ...group('Bills', '', [
    'POST /cube/v2/api/customer/bills',
    'POST /cube/v2/api/customer/sim/bills',
    'GET /cube/v2/api/customer/bills/settles',
    'GET /cube/v2/api/customer/bills/{id}/extract',
    'GET /cube/v2/api/customer/bills/download/pdf',
    'GET /cube/v2/api/customer/bills/details',
    'GET /cube/v2/api/customer/bills/details/download/{x}',
    'GET /cube/v2/api/customer/bills/version',
    'GET /cube/v2/api/customer/bills/versions',
    'GET /cube/v2/api/customer/bills/preview/pdf',
  ]),
  ...group('CDR', '/cdr', [
    'POST /distributor/{x}/stdcdrs',
    'GET /stdcdrs/{x}',
    'POST /sum/distributor/{x}/stdcdrs',
    'GET /sum/{a}/stdcdrs/{b}',
    'GET /info_country_areas',
    'GET /info_mnos/distinct',
    'GET /sims/cells',
    'POST /export/distributor/{a}/{b}/cdrs/export',
    'POST /export/distributor/{a}/{b}/cdrs/export-all',
  ]),
  // The browser may connect only to this server, so the server queries the maps service.
  ...group('Other', '/cube', ['GET /geocode/reverse']),
];
