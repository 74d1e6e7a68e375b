import type { ConsolePhrases } from '../shape.ts';
import { bundle } from './bundle.ts';
import { dashboard } from './dashboard.ts';
import { diagnose } from './diagnose.ts';
import { operations } from './operations.ts';
import { price } from './price.ts';
import { settings } from './settings.ts';
import { sim } from './sim.ts';
import { simDetail } from './sim-detail.ts';
import { simList } from './sim-list.ts';
import { task } from './task.ts';

export const consoleBundle: ConsolePhrases = {
  dashboard,
  diagnose,
  operations,
  price,
  bundle,
  settings,
  sim,
  simDetail,
  simList,
  task,
};
