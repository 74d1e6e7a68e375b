import type pg from 'pg';
import { aaaModule, filedSessions, findOwnSights, resetRefusals } from '../modules/aaa/index.ts';
import { auditModule } from '../modules/audit/index.ts';
import {
  autoflowModule,
  failUndelivered,
  listRulesWithTarget,
  removeFromLists,
} from '../modules/autoflow/index.ts';
import { bundleModule, findPoolSims, moveOrders } from '../modules/bundle/index.ts';
import { cdrModule, listSimDays, queueCounting } from '../modules/cdr/index.ts';
import { dashboardModule } from '../modules/dashboard/index.ts';
import { developerModule } from '../modules/developer/index.ts';
import { diagnoseModule } from '../modules/diagnose/index.ts';
import { financeModule, hasUnbilledCharges, pastCosts } from '../modules/finance/index.ts';
import { heatmapModule } from '../modules/heatmap/index.ts';
import { identityModule, type PasswordCost } from '../modules/identity/index.ts';
import { lockTarget, notifyModule } from '../modules/notify/index.ts';
import { orgModule } from '../modules/org/index.ts';
import { type MapsService, placeModule } from '../modules/place/index.ts';
import {
  addToPools,
  findChargedCycle,
  findPooledSims,
  leavePools,
  listMemberSpans,
  listPooledSpans,
  listPoolIds,
  pooledUsage,
  poolModule,
} from '../modules/pool/index.ts';
import { priceModule } from '../modules/price/index.ts';
import { listReportsWithTarget, reportModule } from '../modules/report/index.ts';
import { listSchedulesWithTarget, scheduleModule } from '../modules/schedule/index.ts';
import { handOverViews, simModule } from '../modules/sim/index.ts';
import { smsModule } from '../modules/sms/index.ts';
import { taskModule, type WorkParts } from '../modules/task/index.ts';
import { networkUsage, recordUsageHandover, turnCyclesOf, usageModule } from '../modules/usage/index.ts';
import { webhookModule, withholdEvents } from '../modules/webhook/index.ts';
import type { AccessControl } from '../platform/access/index.ts';
import type { Clock } from '../platform/clock/index.ts';
import { typed } from '../platform/db/index.ts';
import type { LiveHub } from '../platform/live/index.ts';
import type { Mail } from '../platform/mail/index.ts';
import type { ModuleParts } from '../platform/module/index.ts';
import type { Vault } from '../platform/secrets/index.ts';
import { housekeeping } from './housekeeping.ts';
import { networkList } from './networks.ts';

/** The outside world that is passed to the modules; each takes what it needs. */
export interface WiringOptions {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  live: Pick<LiveHub, 'subscribe' | 'endSession'>;
  mail: Mail;
  /** The operator's maps service, for names of places. */
  maps?: MapsService | undefined;
  /** The console's address, as seen from outside. */
  publicUrl: () => string;
  /** Modulus length of API keys. */
  apiKeyBits: number;
  /** Maximum number of Autoflow rules per organisation. */
  autoflowRules: number;
  /** Where months past their retention are archived. */
  archiveDir?: string | undefined;
  /** Private networks that requests to targets may reach. */
  outboundNetworks?: readonly string[] | undefined;
  passwordCost?: PasswordCost | undefined;
}

type Module = ModuleParts & WorkParts;

/** Assembles the modules: the only place where they meet. Opens and queries nothing. */
export const wire = (options: WiringOptions) => {
  const dependencies = { ...options, db: typed(options.pool) };
  const org = orgModule({ ...dependencies, hasUnbilledCharges });
  const identity = identityModule({
    ...dependencies,
    memberships: org.memberships,
    sharedPools: (orgCode) => listPoolIds(options.pool, orgCode),
    onLeaving: [handOverViews],
    onPermissionsChanged: [withholdEvents],
  });
  const usage = usageModule(dependencies);
  const aaa = aaaModule(dependencies);
  const { findOverdue } = aaa;
  const price = priceModule({
    ...dependencies,
    networkUsage,
    findPoolCycle: findChargedCycle,
    listMemberSpans,
    listPooledSpans,
  });
  const sim = simModule({
    ...dependencies,
    findOverdue,
    costsOf: price.costsOf,
    usage: usage.views,
    adminOrganisation: org.findAdministered,
    onTransfer: [moveOrders, leavePools, recordUsageHandover, resetRefusals, removeFromLists],
    findPoolSims,
    findLastSeen: findOwnSights,
    turnCyclesOf,
  });
  const bundle = bundleModule({
    ...dependencies,
    findOverdue,
    costsOf: price.costsOf,
    pastCostsOf: (query) => pastCosts(options.pool, query),
    bundlePrices: price.bundlePrices,
    findPooledSims,
    ordering: sim.ordering,
  });
  const pool = poolModule({ ...dependencies, ordering: sim.ordering, costsOf: price.costsOf });
  const sms = smsModule({ ...dependencies, ordering: sim.ordering, lockTarget });
  const notify = notifyModule({
    ...dependencies,
    usesOf: [
      { what: 'rules', list: listRulesWithTarget },
      { what: 'schedules', list: listSchedulesWithTarget },
      { what: 'reports', list: listReportsWithTarget },
    ],
    beforeRemoval: failUndelivered,
  });
  const developer = developerModule(dependencies);
  const modulesBeforeTask: Module[] = [
    identity,
    org,
    auditModule(dependencies),
    placeModule(dependencies),
    sim,
    bundle,
    price,
    usage,
    pool,
    sms,
    aaa,
    notify,
    scheduleModule({ ...dependencies, ordering: sim.ordering }),
    autoflowModule({ ...dependencies, maxRules: options.autoflowRules, listSimDays }),
    financeModule(dependencies),
    reportModule(dependencies),
    developer,
    dashboardModule({ ...dependencies, costsOf: price.costsOf }),
    cdrModule(dependencies),
    diagnoseModule(dependencies),
    heatmapModule(dependencies),
    webhookModule(dependencies),
    housekeeping(dependencies),
    networkList(dependencies),
  ];
  const operations = modulesBeforeTask.flatMap((module) => module.operations ?? []);
  const fileWorks = modulesBeforeTask.flatMap((module) => module.fileWorks ?? []);
  const task = taskModule({ ...dependencies, operations, fileWorks });

  const modules: Module[] = [...modulesBeforeTask, task];
  const routes = modules.flatMap((module) => module.routes ?? []);
  const jobs = modules.flatMap((module) => module.jobs ?? []);
  const consumers = modules.flatMap((module) => module.consumers ?? []);
  const access: AccessControl = {
    authenticate: identity.authenticate,
    verify: developer.verify,
    resolveOrg: org.resolveOrg,
  };
  return {
    access,
    developer,
    routes,
    jobs,
    consumers,
    operations,
    fileWorks,
    identity,
    org,
    sim,
    bundle,
    sms,
    notify,
    task,
    findOverdue,
    hasUnbilledCharges,
    countForPools: addToPools,
    sessions: filedSessions,
    queueCounting,
    pooledUsage,
  };
};

export type Wiring = ReturnType<typeof wire>;
