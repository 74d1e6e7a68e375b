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

/** Phrases of the screens behind the sign-in, in addition to the public ones. */
export const consoleBundle = {
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
