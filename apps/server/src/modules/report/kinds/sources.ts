import type { ReportKind } from '@simcube/contract/report';
import { bundles } from './bundles.views.ts';
import { cost } from './cost.views.ts';
import { inventory } from './inventory.views.ts';
import { networks } from './networks.views.ts';
import { pools } from './pools.views.ts';
import { simUsage } from './sim-usage.views.ts';
import { sms } from './sms.views.ts';
import type { AnySource } from './source.ts';
import { statusChanges } from './status-changes.views.ts';

export const sources: Readonly<Record<ReportKind, AnySource>> = {
  'sim-usage': simUsage,
  inventory,
  networks,
  'status-changes': statusChanges,
  bundles,
  pools,
  sms,
  cost,
};
