import type { CycleSpan } from '../../bundle/index.ts';
import type { SimEventContent } from '../../sim/index.ts';
import type { Watches } from '../../usage/index.ts';
import type { LongCodes } from '../network-codes.ts';
import type { Changes, SimChange } from './changes.ts';
import type { FiledSessions, Rivals } from './sim-cache.ts';
import type { SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';

/** One update being applied to a batch's changes. */
export interface Step {
  sim: SimState;
  update: SessionUpdate;
  changes: Changes;
  /** Number of the current batch. */
  batch: number;
  /** Open sessions at the addresses of new ones. */
  rivals: Rivals;
  /** By SIM: the closed cycles that contain late updates. */
  closed: ReadonlyMap<number, readonly CycleSpan[]>;
  /** Organisations whose usage is watched. */
  watches: Watches;
  /** Sessions that only files have reported so far. */
  filed: FiledSessions;
  longCodes: LongCodes;
}

/** Records an event of the SIM; its owner is notified of its own events only. */
export const recordEvent = (
  { sim, changes, orgId = sim.orgId }: Pick<Step, 'sim' | 'changes'> & { orgId?: number },
  change: SimChange,
  at: number,
  event: SimEventContent,
): void => {
  if (orgId === sim.orgId) change.kinds.push(event.kind);
  changes.events.push({ simId: sim.simId, orgId, at, ...event });
};
