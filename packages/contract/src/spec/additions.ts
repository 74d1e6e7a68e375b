/** Calls beyond the specification, each with its reason. Only these and the specification's calls may be registered. */
export const addedCalls: Readonly<Record<string, string>> = {
  'POST /identity/info/cube/invites/read':
    'The invited person sees who invites to what before accepting; section 7 has no call for it',
  'GET /cube/v2/api/customer/sim/bills/cycle':
    'A line of a bill is opened down to the records of a SIM’s cycle; section 7 has no call for it',
  'GET /cube/v2/api/customer/sim/bills/pool':
    'A line for a shared pool is opened down to its cycle; section 7 has no call for it',
  'POST /cube/v2/api/customer/sim/bills/pool':
    'The same, with what each of the pool’s SIMs used and contributed',
  'POST /cube/report/download': 'Several reports at once as an archive; section 7 has a call for one',
  'GET /cube/v2/api/customer/bills/estimate':
    'What the running month will cost is known before it ends; section 7 has bills of past months only',
  'GET /cube/v2/api/customer/bills/offers':
    'Where the same usage would have cost less is said with its arithmetic; section 7 has bills only',
  'POST /cube/v2/api/customer/bills/check':
    'Who reads a bill may have it computed again from the records; section 7 has no call for it',
  'GET /identity/info/cube/profile': 'Section 2 has a profile in the account menu, for people of any role',
  'PUT /identity/info/cube/profile': 'The same, to change name and language',
  'GET /identity/info/cube/sessions': "One's own sign-in sessions, to see a foreign one",
  'DELETE /identity/info/cube/sessions/{sessionId}': 'And to end it, or all but the current one',
  'POST /identity/info/cube/two-factor':
    'Section 8 knows a code at sign-in: two-factor has to be set up somewhere',
  'PUT /identity/info/cube/two-factor': 'The same: its confirmation',
  'POST /identity/info/cube/two-factor/disable': 'The same: its end, with password and code',
  'POST /identity/info/cube/two-factor/recovery': 'The same: new recovery codes',
  'DELETE /customer/accounts/{userId}':
    'Section 8 has messages for a removal that fails; section 7 has no call for the removal',
  'DELETE /customer/accounts/{userId}/sessions':
    'An admin ends sessions in the own organisation only; the reset of section 7 is for people of no other one',
  'POST /cube/sim/terminate': 'Section 4 has terminated SIMs; section 7 names no call that terminates one',
  'POST /cube/sim/renew': 'Section 4: "Expired SIMs can be renewed"; section 7 names no call that does it',
  'POST /cube/sim/topUp': 'Orders a supplementary bundle (section 3) for SIMs; section 7 only reads orders',
  'POST /cube/sim/changeBundle': 'Orders another basic bundle, likewise',
  'GET /cube/sim/bundle/catalogue': 'Which bundles those two offer',
  'GET /cube/pool/cost': 'what a shared pool has cost in its running cycle, and what that is made of',
  'GET /cube/sim/cost':
    'What a SIM has cost in its cycle and what that is made of; section 7 has calls for bills only',
  'GET /cube/sim/sessions': 'The sessions tab of the SIM detail: section 7 knows only the current one',
  'POST /cube/device/usage/export': 'Export of the usage tab; section 7 names those of its neighbours only',
  'POST /cube/sim/list/counts':
    'Counts by status that follow the filter of the list; lifecycleCount of section 7 knows all SIMs only',
  'POST /cube/sim/list/identifiers': 'Bulk search says what it did not find',
  'POST /cube/sim/list/identifiers/file': 'Bulk search by an uploaded list',
  'GET /cube/sim/views': 'Saved views of the SIM list',
  'POST /cube/sim/views': 'The same, to save one',
  'PUT /cube/sim/views/{viewId}': 'The same, to rename one or to save another filter in it',
  'PUT /cube/sim/views/{viewId}/shared': 'The same, to share one with the organisation',
  'DELETE /cube/sim/views/{viewId}/shared': 'The same, to withdraw one that is shared',
  'DELETE /cube/sim/views/{viewId}': 'The same, to remove one',
  'PUT /cube/sim/viewOrder': 'The same, to put them in order',
  'GET /cube/sim/diagnose': 'The diagnose report inside the console; section 7 names its public form only',
  'GET /cube/sim/diagnose/pdf': 'The same as a file, without a public link for it',
  'POST /cube/sim/diagnose/share': 'Makes the link of the public form',
  'GET /cube/sim/diagnose/links': 'Which links to reports of a SIM work now',
  'DELETE /cube/sim/diagnose/links/{shareId}': 'Withdraws one that went to the wrong person',
  'POST /data-pool/shared_pool/cube/pool/{poolId}/enrol':
    'Section 3 has pools whose SIMs are enrolled by hand; section 7 names no call that does it',
  'POST /data-pool/shared_pool/cube/pool/{poolId}/exit': 'The same, to take SIMs out',
  'POST /cube/sim/sms/suspend':
    'Suspend A2P MT SMS (section 3) as an operation on SIMs; section 7 names no call that does it',
  'POST /cube/sim/sms/resume': 'The same, to end the suspension',
  'GET /customer/sms/task/{scheduleId}/runs':
    'What became of each run of a scheduled SMS; section 7 has its SIMs and its definition only',
  'GET /customer/sms/task/{scheduleId}/log':
    'Its operation log for those who may read schedules; the log of section 7 is the administrators’',
  'POST /customer/sms/task/audience':
    'The editor shows which SIMs a schedule reaches and when they are online, before it is saved',
  'POST /customer/sms/task/forecast': 'The same for the runs to come and the quota after them',
  'POST /job-service/rest/job/my/{taskReference}/undo':
    'What a bulk operation changed is given back; section 7 has no call for it',
  'GET /job-service/rest/subscribe/group/api':
    'API targets (section 3), beside address groups and the SMS variant of section 7',
  'POST /job-service/rest/subscribe/group/api': 'The same, to make one',
  'PUT /job-service/rest/subscribe/group/api': 'The same, to change one',
  'POST /job-service/rest/subscribe/group/{groupId}/secret': 'The same, to exchange its secret',
  'POST /job-service/rest/subscribe/group/{groupId}/resume': 'The same, to send to one again that was paused',
  'DELETE /job-service/rest/subscribe/group/{groupId}':
    'Section 7 makes, changes and lists groups; one that is no longer needed has to go',
  'POST /job-service/rest/subscribe/group/{groupId}/try': 'Whether a target works is seen by a test',
  'GET /job-service/rest/subscribe/group/{groupId}/deliveries':
    'What was sent to a target, and what became of it',
  'GET /job-service/rest/subscribe/delivery/{deliveryId}': 'The same with each attempt',
  'PUT /cube/developer/key/notification/eventTypes/{accountId}':
    'Which events a webhook is sent is chosen; section 7 has calls for its URL and status only',
  'POST /cube/developer/key/notification/resume/{accountId}':
    'A webhook that was paused, or waits for its next try, is tried again by hand',
  'POST /cube/developer/key/notification/test/{accountId}': 'Whether a webhook works is seen by a test',
  'GET /cube/developer/log/notification/health': 'How deliveries of the last day went, at a glance',
  'POST /cube/developer/log/notification/counts': 'Counts by state that follow the filter of the log',
  'POST /cube/developer/log/notification/resend/{notificationId}':
    'What a receiver has lost is sent again, with the same event id',
  'POST /cube/developer/log/notification/resend': 'The same for a range and a filter',
  'GET /cube/developer/events': 'The same events as a feed, for machines that cannot receive requests',
  'GET /rule-engine/auto_flow/cube/rules/count': 'How many rules there are of how many, for the menu',
  'GET /rule-engine/auto_flow/cube/rules/summary':
    'How many rules a filter finds, and what they did in 30 days; section 7 lists them only',
  'GET /rule-engine/auto_flow/cube/trigger_actions':
    'The run history of all rules (section 2 has it as a screen); section 7 knows that of one rule',
  'POST /rule-engine/auto_flow/cube/scopes/file/validate':
    'The same as scopes/validate for an uploaded file, whose body is a form',
  'POST /rule-engine/auto_flow/cube/replays':
    'A rule is seen on the last 30 days before it is saved; section 7 has no call for it',
  'GET /rule-engine/auto_flow/cube/replays/{replayId}': 'The same, to read how far it is and what it found',
  'GET /rule-engine/auto_flow/cube/replays/{replayId}/firings':
    'The same, each firing with its SIM, its time and its figure',
  'DELETE /rule-engine/auto_flow/cube/replays/{replayId}':
    'The same, to stop one that is no longer looked at',
  'GET /rule-engine/auto_flow/cube/rules/{ruleId}/why':
    'Why a rule fired for a SIM, or did not: the run history of section 7 has firings only',
  'POST /rule-engine/auto_flow/cube/rules/overshoot':
    'How far usage passes a threshold before the network acts is shown in the list of rules',
  'GET /rule-engine/auto_flow/cube/templates':
    'Notification templates are a screen of section 2; section 7 has no call for them',
  'POST /rule-engine/auto_flow/cube/templates': 'The same, to make one',
  'PUT /rule-engine/auto_flow/cube/templates': 'The same, to change one',
  'DELETE /rule-engine/auto_flow/cube/templates/{templateId}': 'The same, to remove one',
  'GET /cube/dashboard/heatmap':
    'The heatmap screen of section 2, by country, operator and day; section 7 names no call for it',
  'GET /cube/dashboard/heatmap/hexagons': 'The same, by the places of cells',
  'GET /cube/dashboard/heatmap/cells': 'The same, cell by cell in a country',
  'GET /cube/dashboard/heatmap/cells/file': 'The same, all of them as a file',
  'GET /cdr/stdcdrs/record/{recordId}':
    'A row of the CDR list opens into network, counted and rated; section 7 has lists and sums only',
  'POST /customer/operation/log/export': 'The audit trail as a file, for auditors',
};

/** Routes of the console beyond the specification, behind the language segment. */
export const addedScreens: Readonly<Record<string, string>> = {
  'shared/$poolId': 'A shared pool has an address of its own; the spec names its screens, not where they are',
  'simCard/$iccid':
    'The SIM detail that section 2 names among the screens, with an address that can be shared',
  'diagnose/$linkId': 'The public diagnose report of section 7, as a page for readers without an account',
  guide: 'The documentation that the help box of section 2 leads to, inside the console',
  'guide/$page': 'The same, a page of it',
  'autoflow/templates':
    'The notification templates that section 2 names among the screens; the spec does not say where they are',
};
