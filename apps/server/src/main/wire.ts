import type pg from 'pg';
import { aaaModule, findOverdue as findOverdueIn, showOwnSight } from '../modules/aaa/index.ts';
import { auditModule, recordAudit } from '../modules/audit/index.ts';
import { bundleModule, findSharing, moveOrders } from '../modules/bundle/index.ts';
import { dashboardModule } from '../modules/dashboard/index.ts';
import { diagnoseModule } from '../modules/diagnose/index.ts';
import { identityModule } from '../modules/identity/index.ts';
import { notifyModule } from '../modules/notify/index.ts';
import { orgModule } from '../modules/org/index.ts';
import { type FindOverdue, simModule } from '../modules/sim/index.ts';
import { taskModule } from '../modules/task/index.ts';
import { createUsageViews, noteHandover, usageConsumers, usageJobs } from '../modules/usage/index.ts';
import type { AccessControl } from '../platform/access/index.ts';
import type { Clock } from '../platform/clock/index.ts';
import { typed } from '../platform/db/index.ts';
import type { Route } from '../platform/http/index.ts';
import type { JobHandler } from '../platform/jobs/index.ts';
import type { LiveHub } from '../platform/live/index.ts';
import type { Log } from '../platform/log/index.ts';
import type { Mail } from '../platform/mail/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import type { Consumer } from '../platform/outbox/index.ts';
import type { Vault } from '../platform/secrets/index.ts';
import { housekeepingJobs } from './housekeeping.ts';

export interface WiringOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  vault: Vault;
  live: Pick<LiveHub, 'subscribe' | 'endSession'>;
  mail: Mail;
}

/** Puts the modules together: the one place where they meet. Nothing is opened or asked here. */
export const wire = (options: WiringOptions) => {
  const { pool, clock, vault, live, mail } = options;
  const audit = auditModule({ pool, clock });
  const org = orgModule({ pool, clock });
  const identity = identityModule({ pool, clock, vault, mail, memberships: org.memberships, live });
  const db = typed(pool);
  const findOverdue: FindOverdue = (simIds, now) => findOverdueIn(pool, simIds, now);
  const sim = simModule({
    pool,
    db,
    clock,
    usage: createUsageViews({ db, clock }),
    findOverdue,
    audit: recordAudit,
    adminOrganisation: async ({ userId, code, isOperator }) => {
      if (isOperator) return org.findOrganisation(pool, code);
      const mine = await org.memberships(userId);
      const found = mine.find((one) => one.code.toLowerCase() === code.toLowerCase());
      return found?.role.includes('admin') ? org.findOrganisation(pool, found.code) : undefined;
    },
    onTransfer: [moveOrders, noteHandover, showOwnSight],
    sharing: findSharing,
  });
  const bundle = bundleModule({ pool, db, clock, ordering: sim.ordering, findOverdue });
  const dashboard = dashboardModule({ pool, clock });
  const diagnose = diagnoseModule({ pool, clock });
  const notify = notifyModule({ pool, clock });
  const task = taskModule({
    pool,
    clock,
    operations: [...sim.operations, ...bundle.operations],
    fileWorks: [...sim.fileWorks, ...bundle.fileWorks],
  });
  const aaa = aaaModule({ pool, clock, vault });

  const access: AccessControl = { authenticate: identity.authenticate, resolveOrg: org.resolveOrg };
  const routes: Route[] = [
    ...identity.routes,
    ...org.routes,
    ...audit.routes,
    ...sim.routes,
    ...bundle.routes,
    ...dashboard.routes,
    ...diagnose.routes,
    ...notify.routes,
    ...task.routes,
  ];
  const jobs: JobHandler[] = [
    ...housekeepingJobs(pool),
    ...identity.jobs,
    ...task.jobs,
    ...sim.jobs,
    ...bundle.jobs,
    ...usageJobs({ pool, clock }),
    ...aaa.jobs,
    ...diagnose.jobs,
  ];
  const consumers: Consumer[] = [...bundle.consumers, ...usageConsumers({ clock }), ...aaa.consumers];
  return { access, routes, jobs, consumers, identity, org, sim, bundle, task, findOverdue };
};

export type Wiring = ReturnType<typeof wire>;
