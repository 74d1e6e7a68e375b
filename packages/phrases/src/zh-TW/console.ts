import type { ConsolePhrases } from '../shape.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { dashboard } from './dashboard.ts';
import { diagnose } from './diagnose.ts';
import { groups } from './groups.ts';
import { operations } from './operations.ts';
import { organisation } from './organisation.ts';
import { service } from './service.ts';
import { settings } from './settings.ts';
import { sim } from './sim.ts';
import { simDetail } from './sim-detail.ts';
import { simList } from './sim-list.ts';
import { task } from './task.ts';

export const consoleBundle: ConsolePhrases = {
  account,
  audit,
  dashboard,
  diagnose,
  groups,
  operations,
  organisation,
  service,
  settings,
  sim,
  simDetail,
  simList,
  task,
};
