import { account, identity, org } from './accounts.ts';
import { audit } from './audit.ts';
import { autoflow } from './autoflow.ts';
import { autoflowAnalysis } from './autoflow-analysis.ts';
import { bundle } from './bundle.ts';
import { cdr } from './cdr.ts';
import { dashboard, heatmap, place } from './dashboards.ts';
import { developer } from './developer.ts';
import { diagnose } from './diagnose.ts';
import { finance } from './finance.ts';
import { notify } from './notify.ts';
import { pool } from './pool.ts';
import { price } from './price.ts';
import { report } from './report.ts';
import { schedule } from './schedule.ts';
import { sim } from './sim.ts';
import { sms } from './sms.ts';
import { task } from './task.ts';
import type { FieldDescriptions } from './types.ts';
import { webhook } from './webhook.ts';
import { event, feedEvents, notification } from './webhook-events.ts';

/** By domain: the first part of the ids of calls, and of the requests that the server sends. */
export const byDomain: Readonly<Record<string, FieldDescriptions>> = {
  account,
  audit,
  autoflow: { ...autoflow, ...autoflowAnalysis },
  bundle,
  cdr,
  dashboard,
  developer,
  diagnose,
  event,
  finance,
  heatmap,
  identity,
  notification,
  notify,
  org,
  place,
  pool,
  price,
  report,
  schedule,
  sim,
  sms,
  task,
  webhook: { ...webhook, ...feedEvents },
};
