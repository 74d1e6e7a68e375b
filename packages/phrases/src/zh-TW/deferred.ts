import type { DeferredPhrases } from '../shape.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { autoflow } from './autoflow.ts';
import { cdr } from './cdr.ts';
import { developer } from './developer.ts';
import { finance } from './finance.ts';
import { guide } from './guide.ts';
import { heatmap } from './heatmap.ts';
import { notify } from './notify.ts';
import { org } from './org.ts';
import { pool } from './pool.ts';
import { report } from './report.ts';
import { reports } from './reports.ts';
import { schedule } from './schedule.ts';
import { simTabs } from './sim-tabs.ts';
import { sms } from './sms.ts';

export const deferredBundle: DeferredPhrases = {
  org,
  account,
  audit,
  autoflow,
  cdr,
  developer,
  finance,
  guide,
  heatmap,
  notify,
  pool,
  report,
  reports,
  schedule,
  simTabs,
  sms,
};
