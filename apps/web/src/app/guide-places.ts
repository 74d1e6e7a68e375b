import type { screenPaths } from './route-paths.ts';

/** Screens without a sign-in, and the guide itself. */
type ScreenWithoutGuide =
  | 'login'
  | 'termsOfUse'
  | 'privacy'
  | '401'
  | 'diagnose/$linkId'
  | '$'
  | 'guide'
  | 'guide/$page';
export type GuidedScreen = Exclude<(typeof screenPaths)[number], ScreenWithoutGuide>;

/**
 * The place in the guide about each screen, in the form of the links between the guide's files. A screen without an entry does
 * not compile.
 */
export const guidePlaces: Readonly<Record<GuidedScreen, string>> = {
  analysis: 'dashboard.md',
  heatmap: 'heatmap.md',
  simCard: 'sims.md',
  'simCard/$iccid': 'sims.md#one-sim',
  service: 'service.md',
  shared: 'pools.md',
  'shared/$poolId': 'pools.md#one-pool',
  cdrCard: 'cdrs.md',
  chartView: 'cdrs.md#charts',
  message: 'sms.md',
  scheduleSmsDetails: 'sms.md#scheduled-messages',
  scheduleSmsAdd: 'sms.md#scheduled-messages',
  autoflow: 'autoflow.md',
  workFlowOperation: 'autoflow.md#writing-a-rule',
  trigger: 'autoflow.md#what-a-rule-did',
  'autoflow/templates': 'autoflow.md#notification-templates',
  reports: 'reports.md',
  finance: 'finance.md',
  financeDetailsPage: 'finance.md#one-bill',
  financeSimDetailsPage: 'finance.md#what-each-sim-cost',
  developerView: 'developer.md',
  orgs: 'organisations.md',
  orgscreate: 'organisations.md#a-new-organisation',
  setCard: 'settings.md',
  newUser: 'settings.md#accounts',
  userDetail: 'settings.md#your-own-account',
  taskcenter: 'tasks.md',
};

/** @param path of one of the console's routes, with its language segment */
export const guidePlaceOf = (path: string | undefined): string | undefined =>
  (guidePlaces as Readonly<Record<string, string>>)[path?.replace('/$lang/', '') ?? ''];
