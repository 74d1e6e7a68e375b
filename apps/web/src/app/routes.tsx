import type { Language, PermissionKey } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';
import { createRoute, redirect } from '@tanstack/react-router';
import { heatmapSearchSchema } from '../features/heatmap/search.ts';
import { organisationSearch } from '../features/org/search.ts';
import { userDetailSearchSchema } from '../features/profile/search.ts';
import { parseSettingsSearch } from '../features/settings/search.ts';
import { simDetailSearchSchema } from '../features/sim/search.ts';
import { taskSearch } from '../features/task/search.ts';
import { loadWhenReachable } from '../lib/chunks/index.ts';
import { addDeferredPhrases } from '../lib/language/index.ts';
import { session } from '../lib/session/index.ts';
import {
  bareRoute,
  diagnoseRoute,
  languageRoute,
  loginRoute,
  privacyRoute,
  rootRoute,
  shellRoute,
  termsRoute,
  unauthorisedRoute,
} from './base-routes.tsx';
import {
  type BeforeLoadContext,
  enterAccountManagement,
  enterOrganisation,
  enterPools,
  enterReports,
  enterWithPermission,
  enterWithPermissionAndTexts,
  languageOf,
  loadTexts,
  restoreSearch,
} from './before-load.ts';
import { itemViews } from './item-views.ts';
import { developerArea, ruleList, serviceList, simList } from './keep-alive-lists.ts';
import { lazyScreen } from './lazy-screen.ts';
import { lazySearchPage, searchPage } from './shell/search-page.tsx';

const notFoundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  staticData: { title: 'identity.notFound.title', personal: true, public: true },
  component: lazyScreen(() => import('./shell/missing-page.tsx'), 'MissingPage'),
});

const organisationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'shell.organisations.title', personal: true },
  beforeLoad: ({ params }) => addDeferredPhrases(languageOf(params)),
  ...searchPage({
    path: 'orgs',
    read: organisationSearch.parse,
    load: async () => (await import('../features/org/screens.ts')).OrganisationsScreen,
  }),
});

const indexRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: ({ params, location }) => {
    enterOrganisation(params);
    throw redirect({ href: `/${languageOf(params)}/analysis${location.searchStr}`, replace: true });
  },
});

const analysisRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'analysis',
  staticData: { title: 'dashboard.title' },
  beforeLoad: ({ params }) => enterOrganisation(params),
  component: lazyScreen(() => import('../features/dashboard/index.ts'), 'AnalysisScreen'),
});

const heatmapRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'heatmap.title' },
  beforeLoad: ({ params }) => loadTexts(params),
  ...searchPage({
    path: 'heatmap',
    read: heatmapSearchSchema.parse,
    load: async () => (await import('../features/heatmap/index.ts')).HeatmapScreen,
  }),
});

interface KeepAliveRoute<P extends string, S> {
  path: P;
  title: PhraseKey;
  permission: PermissionKey;
  read: (search: unknown) => S;
  load: () => Promise<unknown>;
}

/** @param addPhrases fetches texts that are not part of the first page, before the route is entered */
const keepAliveRoute = <P extends string, S>(
  { path, title, permission, read, load }: KeepAliveRoute<P, S>,
  addPhrases: (language: Language) => Promise<void> | undefined = () => undefined,
) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    staticData: { title },
    validateSearch: (search: Record<string, unknown>) => read(search),
    beforeLoad: (context: BeforeLoadContext) => {
      enterWithPermission(permission, context.params);
      restoreSearch(path, context);
      return addPhrases(languageOf(context.params));
    },
    // The shell renders the list; the previous page stays until the list's script has loaded.
    loader: async () => void (await loadWhenReachable(load)),
  });

const simListRoute = keepAliveRoute(simList);
const serviceRoute = keepAliveRoute(serviceList);
const rulesRoute = keepAliveRoute(ruleList, addDeferredPhrases);
const developerRoute = keepAliveRoute(developerArea, addDeferredPhrases);

const poolsRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'shell.menu.pools' },
  beforeLoad: ({ params }) => enterPools(params),
  ...lazySearchPage({
    path: 'shared',
    load: async () => {
      const { PoolsScreen, poolSearch } = await import('../features/pool/index.ts');
      return { screen: PoolsScreen, read: poolSearch.parse };
    },
  }),
});

const poolRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'shell.menu.pools' },
  beforeLoad: ({ params }) => enterPools(params),
  ...lazySearchPage({
    path: 'shared/$poolId',
    load: async () => {
      const { PoolScreen, poolPageSearch } = await import('../features/pool/screens.ts');
      return { screen: PoolScreen, read: poolPageSearch.parse };
    },
    props: ({ poolId = '' }) => ({ poolId }),
  }),
});

/** A page with its own texts, for people who may read its content. */
const readablePage = <const R extends string, S extends object>(
  permission: PermissionKey,
  title: PhraseKey,
  page: Parameters<typeof lazySearchPage<R, S>>[0],
) =>
  createRoute({
    getParentRoute: () => shellRoute,
    staticData: { title },
    beforeLoad: ({ params }: BeforeLoadContext) => enterWithPermissionAndTexts(permission, params),
    ...lazySearchPage(page),
  });

const cdrsRoute = readablePage('cdr', 'cdr.title', {
  path: 'cdrCard',
  load: async () => {
    const { CdrsScreen, cdrSearch } = await import('../features/cdr/index.ts');
    return { screen: CdrsScreen, read: cdrSearch.parse };
  },
});
const cdrChartsRoute = readablePage('cdr', 'cdr.charts.title', {
  path: 'chartView',
  load: async () => {
    const { CdrChartsScreen, cdrChartsSearch } = await import('../features/cdr/screens.ts');
    return { screen: CdrChartsScreen, read: cdrChartsSearch.parse };
  },
});
const smsRoute = readablePage('cube-schedule-sms', 'shell.menu.sms', {
  path: 'message',
  load: async () => (await import('../features/sms/index.ts')).smsPage,
});
const scheduleRoute = readablePage('cube-schedule-sms', 'schedule.one', {
  path: 'scheduleSmsDetails',
  load: async () => (await import('../features/schedule/screens.ts')).schedulePage,
});
const newScheduleRoute = readablePage('cube-schedule-sms', 'schedule.new', {
  path: 'scheduleSmsAdd',
  load: async () => (await import('../features/schedule/screens.ts')).newSchedulePage,
});
const ruleEditorRoute = readablePage('autoflow-cube', 'autoflow.one', {
  path: 'workFlowOperation',
  load: async () => (await import('../features/autoflow/screens.ts')).editorPage,
});
const ruleRoute = readablePage('autoflow-cube', 'autoflow.runHistory', {
  path: 'trigger',
  load: async () => (await import('../features/autoflow/screens.ts')).rulePage,
});
const templatesRoute = readablePage('autoflow-cube', 'autoflow.templates.title', {
  path: 'autoflow/templates',
  load: async () => (await import('../features/autoflow/screens.ts')).templatesPage,
});

const reportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'report.one' },
  beforeLoad: ({ params }) => enterReports(params),
  ...lazySearchPage({
    path: 'reports',
    load: async () => (await import('../features/report/index.ts')).reportsPage,
  }),
});

const financeRoute = readablePage('customer-bill-cube', 'shell.menu.finance', {
  path: 'finance',
  load: async () => (await import('../features/finance/index.ts')).financePage,
});
const billRoute = readablePage('customer-bill-cube', 'finance.one', {
  path: 'financeDetailsPage',
  load: async () => (await import('../features/finance/screens.ts')).billPage,
});
const billSimsRoute = readablePage('customer-bill-cube', 'finance.sims.title', {
  path: 'financeSimDetailsPage',
  load: async () => (await import('../features/finance/screens.ts')).billSimsPage,
});

const simDetailRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'sim.title' },
  // The texts of its other tabs are fetched when one of them is opened.
  beforeLoad: ({ params, search: { tab = 'overview' } }) =>
    ['overview', 'usage', 'events'].includes(tab)
      ? enterWithPermission('sim', params)
      : enterWithPermissionAndTexts('sim', params),
  ...searchPage({
    path: 'simCard/$iccid',
    read: simDetailSearchSchema.parse,
    load: async () => (await import('../features/sim/index.ts')).SimDetailScreen,
    props: ({ iccid = '' }) => ({ iccid }),
  }),
});

/** The id selects the account; one's own account needs no organisation, others require the permission to read accounts. */
const userDetailRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'userDetail',
  staticData: { title: 'identity.profile.title', personal: true },
  validateSearch: (search) => userDetailSearchSchema.parse(search),
  beforeLoad: ({ params, search: { id } }) => {
    if (id !== undefined && id !== session.get('userId')) enterWithPermission('account', params);
    return addDeferredPhrases(languageOf(params));
  },
  component: lazyScreen(() => import('./shell/user-detail-page.tsx'), 'UserDetailPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'settings.title' },
  beforeLoad: ({ params }) => loadTexts(params),
  ...searchPage({
    path: 'setCard',
    read: parseSettingsSearch,
    load: async () => (await import('../features/settings/index.ts')).SettingsScreen,
  }),
});

const newAccountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'newUser',
  staticData: { title: 'account.create.title' },
  beforeLoad: ({ params }) => enterAccountManagement(params),
  component: lazyScreen(() => import('../features/account/index.ts'), 'NewAccountScreen'),
});

const newOrganisationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'orgscreate',
  staticData: { title: 'org.create.title' },
  beforeLoad: ({ params }) => enterAccountManagement(params),
  component: lazyScreen(() => import('../features/org/screens.ts'), 'CreateOrganisationScreen'),
});

const tasksRoute = createRoute({
  getParentRoute: () => shellRoute,
  staticData: { title: 'task.title' },
  beforeLoad: ({ params }) => enterOrganisation(params),
  ...searchPage({
    path: 'taskcenter',
    read: taskSearch.parse,
    load: async () => (await import('../features/task/screens.ts')).TaskCentreScreen,
    props: () => ({ itemViews }),
  }),
});

/** The user guide is the same for everybody. */
const guideRouteAt = <const P extends string>(path: P) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    staticData: { title: 'guide.title', personal: true },
    beforeLoad: ({ params }: BeforeLoadContext) => addDeferredPhrases(languageOf(params)),
    component: lazyScreen(() => import('../features/guide/index.ts'), 'GuideScreen'),
  });
const guideRoute = guideRouteAt('guide');
const guidePageRoute = guideRouteAt('guide/$page');

export const routeTree = rootRoute.addChildren([
  bareRoute,
  languageRoute.addChildren([
    loginRoute,
    termsRoute,
    privacyRoute,
    unauthorisedRoute,
    diagnoseRoute,
    shellRoute.addChildren([
      indexRoute,
      analysisRoute,
      heatmapRoute,
      simListRoute,
      simDetailRoute,
      serviceRoute,
      rulesRoute,
      ruleEditorRoute,
      ruleRoute,
      templatesRoute,
      developerRoute,
      poolsRoute,
      poolRoute,
      cdrsRoute,
      cdrChartsRoute,
      smsRoute,
      scheduleRoute,
      newScheduleRoute,
      reportsRoute,
      financeRoute,
      billRoute,
      billSimsRoute,
      organisationsRoute,
      newOrganisationRoute,
      settingsRoute,
      newAccountRoute,
      userDetailRoute,
      tasksRoute,
      guideRoute,
      guidePageRoute,
      notFoundRoute,
    ]),
  ]),
]);
