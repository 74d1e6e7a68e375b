/** Calls beyond the specification, each with its reason. Only these and the specification's calls may be registered. */
export const addedCalls: Readonly<Record<string, string>> = {
  'POST /identity/info/cube/invites/read':
    'Shows an invited person who invites them, and to what, before they accept; section 7 has no call for it',
  'GET /cube/v2/api/customer/sim/bills/cycle':
    'Details of a bill’s line, down to the records of a SIM’s cycle; section 7 has no call for it',
  'GET /cube/v2/api/customer/sim/bills/pool':
    'Details of a bill’s line for a shared pool, down to its cycle; section 7 has no call for it',
  'POST /cube/v2/api/customer/sim/bills/pool':
    'The same, with the usage and contribution of each of the pool’s SIMs',
  'POST /cube/report/download': 'Several reports as one archive; section 7 has a call for one report',
  'GET /cube/v2/api/customer/bills/estimate':
    'Estimate of the running month’s bill; section 7 has only bills of past months',
  'GET /cube/v2/api/customer/bills/offers':
    'Offers under which the same usage would have cost less, with the calculation; section 7 has only bills',
  'POST /cube/v2/api/customer/bills/check':
    'Recomputes a bill from the records, for anyone who may read it; section 7 has no call for it',
  'GET /identity/info/cube/profile': 'Section 2 has a profile in the account menu, for people of any role',
  'PUT /identity/info/cube/profile': 'The same, to change name and language',
  'GET /identity/info/cube/sessions': "One's own sign-in sessions, to detect those of others",
  'DELETE /identity/info/cube/sessions/{sessionId}': 'The same, to end one, or all except the current one',
  'POST /identity/info/cube/two-factor':
    'Section 8 has a code at sign-in, so two-factor must be set up somewhere',
  'PUT /identity/info/cube/two-factor': 'The same, to confirm the setup',
  'POST /identity/info/cube/two-factor/disable': 'The same, to turn it off, with password and code',
  'POST /identity/info/cube/two-factor/recovery': 'The same, to generate new recovery codes',
  'DELETE /customer/accounts/{userId}':
    'Section 8 has messages for a failed removal; section 7 has no call for the removal',
  'DELETE /customer/accounts/{userId}/sessions':
    'Lets an admin end sessions in their own organisation only; the reset of section 7 is for people who are in no other',
  'POST /cube/sim/terminate': 'Section 4 has terminated SIMs; section 7 has no call that terminates one',
  'POST /cube/sim/renew': 'Section 4: "Expired SIMs can be renewed"; section 7 has no call for it',
  'POST /cube/sim/topUp': 'Orders a supplementary bundle (section 3) for SIMs; section 7 only reads orders',
  'POST /cube/sim/changeBundle': 'Orders another basic bundle, likewise',
  'GET /cube/sim/bundle/catalogue': 'The bundles that those two calls offer',
  'GET /cube/pool/cost': 'Cost of a shared pool in its running cycle, by line',
  'GET /cube/sim/cost': 'Cost of a SIM in its cycle, by line; section 7 has only calls for bills',
  'GET /cube/sim/sessions': 'The sessions tab of the SIM detail; section 7 has only the current session',
  'POST /cube/device/usage/export':
    'Export of the usage tab; section 7 has only the exports of its neighbouring tabs',
  'POST /cube/sim/list/counts':
    'Counts by status that follow the filter of the list; lifecycleCount of section 7 counts all SIMs',
  'POST /cube/sim/list/identifiers': 'Identifiers that a bulk search did not find',
  'POST /cube/sim/list/identifiers/file': 'Bulk search by an uploaded list',
  'GET /cube/sim/views': 'Saved views of the SIM list',
  'POST /cube/sim/views': 'The same, to save one',
  'PUT /cube/sim/views/{viewId}': 'The same, to rename one or change its filter',
  'PUT /cube/sim/views/{viewId}/shared': 'The same, to share one with the organisation',
  'DELETE /cube/sim/views/{viewId}/shared': 'The same, to stop sharing one',
  'DELETE /cube/sim/views/{viewId}': 'The same, to remove one',
  'PUT /cube/sim/viewOrder': 'The same, to put them in order',
  'GET /cube/sim/diagnose': 'The diagnose report inside the console; section 7 has only its public form',
  'GET /cube/sim/diagnose/pdf': 'The same as a file, without a public link',
  'POST /cube/sim/diagnose/share': 'Creates the link to the public form',
  'GET /cube/sim/diagnose/links': 'Valid links to reports of a SIM',
  'DELETE /cube/sim/diagnose/links/{shareId}': 'Revokes a link that was sent to the wrong person',
  'POST /data-pool/shared_pool/cube/pool/{poolId}/enrol':
    'Section 3 has pools whose SIMs are enrolled by hand; section 7 has no call for it',
  'POST /data-pool/shared_pool/cube/pool/{poolId}/exit': 'The same, to remove SIMs from the pool',
  'POST /cube/sim/sms/suspend':
    'Suspend A2P MT SMS (section 3) as an operation on SIMs; section 7 has no call for it',
  'POST /cube/sim/sms/resume': 'The same, to end the suspension',
  'GET /customer/sms/task/{scheduleId}/runs':
    'The outcome of each run of a scheduled SMS; section 7 has only its SIMs and its definition',
  'GET /customer/sms/task/{scheduleId}/log':
    'Its operation log for people who may read schedules; the log of section 7 is for administrators',
  'POST /customer/sms/task/audience':
    'Shows in the editor which SIMs a schedule reaches and when they are online, before it is saved',
  'GET /customer/sms/task/groups':
    'Address groups for people who may set up schedules; the list of section 7 has their addresses and is for administrators',
  'GET /rule-engine/auto_flow/cube/targets': 'The same for rules, with API targets and SMS subscribers',
  'POST /customer/sms/task/forecast': 'The same for future runs and the quota that they leave',
  'POST /job-service/rest/job/my/{taskReference}/undo':
    'Undoes a bulk operation; section 7 has no call for it',
  'GET /job-service/rest/subscribe/group/api':
    'API targets (section 3), in addition to the address groups and SMS subscribers of section 7',
  'POST /job-service/rest/subscribe/group/api': 'The same, to create one',
  'PUT /job-service/rest/subscribe/group/api': 'The same, to change one',
  'POST /job-service/rest/subscribe/group/{groupId}/secret': 'The same, to replace its secret',
  'POST /job-service/rest/subscribe/group/{groupId}/resume':
    'The same, to resume sending to one that was paused',
  'DELETE /job-service/rest/subscribe/group/{groupId}':
    'Deletes a group; section 7 has calls only to create, change and list groups',
  'POST /job-service/rest/subscribe/group/{groupId}/try': 'Tests whether a target works',
  'GET /job-service/rest/subscribe/group/{groupId}/deliveries': 'Deliveries to a target, and their outcomes',
  'GET /job-service/rest/subscribe/delivery/{deliveryId}': 'One of them with each attempt',
  'PUT /cube/developer/key/notification/eventTypes/{accountId}':
    'Selects the events that are sent to a webhook; section 7 has only calls for its URL and status',
  'POST /cube/developer/key/notification/resume/{accountId}':
    'Retries a webhook that was paused or is waiting for its next attempt',
  'POST /cube/developer/key/notification/test/{accountId}': 'Tests whether a webhook works',
  'GET /cube/developer/log/notification/health': 'Summary of the deliveries of the last day',
  'POST /cube/developer/log/notification/counts': 'Counts by state that follow the filter of the log',
  'POST /cube/developer/log/notification/resend/{notificationId}':
    'Sends an event that the receiver lost again, with the same event id',
  'POST /cube/developer/log/notification/resend': 'The same for a range and a filter',
  'GET /cube/developer/events': 'The same events as a feed, for machines that cannot receive requests',
  'GET /cube/developer/key/api/current':
    'Tells a program with an API key which account and organisation it acts for; section 7 has no call for it',
  'GET /rule-engine/auto_flow/cube/rules/count': 'Number of rules and its maximum, for the menu',
  'GET /rule-engine/auto_flow/cube/rules/summary':
    'Number of rules that a filter finds, and what they did in 30 days; section 7 only lists rules',
  'GET /rule-engine/auto_flow/cube/trigger_actions':
    'The run history of all rules, a screen of section 2; section 7 has that of one rule',
  'POST /rule-engine/auto_flow/cube/scopes/file/validate':
    'The same as scopes/validate, for an uploaded file in a form',
  'POST /rule-engine/auto_flow/cube/replays':
    'Replays a rule on the last 30 days before it is saved; section 7 has no call for it',
  'GET /rule-engine/auto_flow/cube/replays/{replayId}': 'The same, to read its progress and results',
  'GET /rule-engine/auto_flow/cube/replays/{replayId}/firings':
    'The same, each firing with its SIM, time and value',
  'DELETE /rule-engine/auto_flow/cube/replays/{replayId}': 'The same, to stop one that nobody is viewing',
  'GET /rule-engine/auto_flow/cube/rules/{ruleId}/why':
    'Why a rule fired for a SIM, or did not; the run history of section 7 has only firings',
  'POST /rule-engine/auto_flow/cube/rules/overshoot':
    'Shows in the list of rules how far usage exceeds a threshold before the network acts',
  'GET /rule-engine/auto_flow/cube/templates':
    'Notification templates, a screen of section 2; section 7 has no call for them',
  'POST /rule-engine/auto_flow/cube/templates': 'The same, to create one',
  'PUT /rule-engine/auto_flow/cube/templates': 'The same, to change one',
  'DELETE /rule-engine/auto_flow/cube/templates/{templateId}': 'The same, to remove one',
  'GET /cube/dashboard/heatmap':
    'The heatmap screen of section 2, by country, operator and day; section 7 has no call for it',
  'GET /cube/dashboard/heatmap/hexagons': 'The same, by the locations of cells',
  'GET /cube/dashboard/heatmap/cells': 'The same, the cells of a country',
  'GET /cube/dashboard/heatmap/cells/file': 'The same, all of them as a file',
  'GET /cdr/stdcdrs/record/{recordId}':
    'Details of a CDR: network, counted and rated usage; section 7 has only lists and sums',
  'POST /customer/operation/log/export': 'The audit trail as a file, for auditors',
};

/** Routes of the console beyond the specification, behind the language segment. */
export const addedScreens: Readonly<Record<string, string>> = {
  'shared/$poolId':
    'A shared pool has its own address; the specification names its screens, but not their addresses',
  'simCard/$iccid': 'The SIM detail, a screen of section 2, with an address that can be shared',
  'diagnose/$linkId': 'The public diagnose report of section 7, as a page for readers without an account',
  guide: 'The documentation, inside the console, to which the help box of section 2 leads',
  'guide/$page': 'The same, a page of it',
  'autoflow/templates':
    'The notification templates, a screen of section 2 for which the specification gives no address',
};
