import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { startHeardPackets } from '../heard-packets.ts';
import { addUnknownSims, maxUnknownSims, type UnknownSim } from './unknown-sims.queries.ts';

export interface UnknownSimRecorder {
  /** Beyond a maximum number of identities, packets are only counted by the metrics. */
  add(unknown: UnknownSim): void;
  stop(): Promise<void>;
}

/** Stores who is no SIM here, for the operator: SIMs that were not imported, or that belong to others. */
export const startUnknownSimRecorder = (options: {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
}): UnknownSimRecorder => {
  const heard = startHeardPackets<UnknownSim>({
    ...options,
    max: maxUnknownSims,
    store: async (rows) => {
      if (rows.length > 0) await addUnknownSims(options.pool, rows);
    },
    failure: 'packets of unknown SIMs could not be stored',
  });
  return {
    add: (unknown) => heard.add(`${unknown.identity} ${unknown.reason} ${unknown.gateway}`, unknown),
    stop: heard.stop,
  };
};
