/**
 * Paths that have a screen, behind the language segment; `$` catches all others. Plain data, so that
 * `npm run coverage:spec` reads it without a browser; a test holds it to the router's own tree.
 */
export const screenPaths = [
  'login',
  'termsOfUse',
  'privacy',
  '401',
  'diagnose/$linkId',
  '$',
  'analysis',
  'heatmap',
  'simCard',
  'simCard/$iccid',
  'service',
  'shared',
  'shared/$poolId',
  'cdrCard',
  'chartView',
  'message',
  'scheduleSmsDetails',
  'scheduleSmsAdd',
  'autoflow',
  'workFlowOperation',
  'trigger',
  'developerView',
  'orgs',
  'orgscreate',
  'setCard',
  'newUser',
  'userDetail',
  'taskcenter',
] as const;
