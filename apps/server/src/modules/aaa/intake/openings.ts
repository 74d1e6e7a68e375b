import type { Changes } from './changes.ts';
import { RecentMap } from './recent-map.ts';
import type { LoadedSims } from './sim-cache.ts';
import type { SessionUpdate } from './update.ts';

interface Opening {
  by: object;
  simId: number;
  written: Promise<void>;
  /** The turn that it was over in, stored or not; none yet while its batch is on its way. */
  overIn: number | undefined;
}

/** More than the batches of all lanes can open that are on their way at once. */
const openingsMost = 20_000;

/**
 * Addresses at which sessions were opened lately, by all lanes of the process. A lane remembers those of its own
 * (`sim-cache.ts`); what another one has sent and not committed, its reads can't see.
 */
export class Openings {
  readonly #at = new RecentMap<string, Opening>(openingsMost);
  #turn = 0;

  /** Now: what was over before it is seen by a read that begins after it. */
  get turn(): number {
    return this.#turn;
  }

  /** What a lane has sent. */
  noteAll({ sessions }: Changes, { by, written }: { by: object; written: Promise<void> }): void {
    for (const { sim, session, isNew } of sessions.values()) {
      if (!isNew || session.ip === null) continue;
      const opening: Opening = { by, simId: sim.simId, written, overIn: undefined };
      const over = () => {
        this.#turn += 1;
        opening.overIn = this.#turn;
      };
      this.#at.set(session.ip, opening);
      written.then(over, over);
    }
  }

  /**
   * Waits for what other lanes are storing at addresses of a batch, and what was read in that turn could not show.
   * @returns whether there was any
   */
  async awaited(
    { sims }: LoadedSims,
    { by, updates, turn }: { by: object; updates: readonly SessionUpdate[]; turn: number },
  ): Promise<boolean> {
    const unseen: Promise<unknown>[] = [];
    for (const [index, { sessionKey, ip }] of updates.entries()) {
      const sim = sims[index];
      if (!sim || ip === null || sim.sessions.has(sessionKey)) continue;
      const opening = this.#at.get(ip);
      if (!opening || opening.by === by || opening.simId === sim.simId) continue;
      if (opening.overIn === undefined || opening.overIn > turn) unseen.push(opening.written);
    }
    await Promise.allSettled(unseen);
    return unseen.length > 0;
  }
}
