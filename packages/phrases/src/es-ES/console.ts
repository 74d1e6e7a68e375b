import type { ConsolePhrases } from '../shape.ts';
import { account } from './account.ts';
import { bundle } from './bundle.ts';
import { dashboard } from './dashboard.ts';
import { diagnose } from './diagnose.ts';
import { operations } from './operations.ts';
import { org } from './org.ts';
import { price } from './price.ts';
import { settings } from './settings.ts';
import { sim } from './sim.ts';
import { simDetail } from './sim-detail.ts';
import { simList } from './sim-list.ts';
import { sms } from './sms.ts';
import { task } from './task.ts';

export const consoleBundle: ConsolePhrases = {
  account,
  dashboard,
  diagnose,
  operations,
  org,
  price,
  bundle,
  settings,
  sim,
  simDetail,
  simList,
  sms,
  task,
};
