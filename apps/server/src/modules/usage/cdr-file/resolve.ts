import type { Sql } from '../../../platform/db/index.ts';
import { cycleOf } from '../usage.rules.ts';
import { findSims } from './cdr-file.queries.ts';
import type { KnownSim } from './records.ts';

const rememberedMost = 200_000;

/** SIMs by what files call them; asks the database once for each chunk, for those that it has not met. */
export class SimDirectory {
  #known = new Map<string, KnownSim | null>();

  async learn(sql: Sql, identifiers: ReadonlySet<string>): Promise<void> {
    const missing = [...identifiers].filter((identifier) => !this.#known.has(identifier));
    if (missing.length === 0) return;
    if (this.#known.size > rememberedMost) this.#known = new Map();
    const of = (...kinds: string[]) =>
      missing
        .filter((identifier) => kinds.includes(identifier.slice(0, identifier.indexOf(':'))))
        .map((identifier) => identifier.slice(identifier.indexOf(':') + 1));
    const sims = await findSims(sql, {
      iccids: of('iccid', 'any'),
      imsis: of('imsi', 'any'),
      msisdns: of('msisdn', 'any'),
    });
    for (const identifier of missing) this.#known.set(identifier, null);
    for (const { iccid, imsi, msisdn, ...sim } of sims) {
      const known: KnownSim = { ...sim, cycle: undefined };
      this.#put('msisdn', msisdn, known);
      this.#put('imsi', imsi, known);
      this.#put('iccid', iccid, known);
    }
  }

  find(identifier: string): KnownSim | undefined {
    return this.#known.get(identifier) ?? undefined;
  }

  /** Only under names that were asked for; of equal numbers an ICCID goes first, then an IMSI. */
  #put(kind: string, number: string | null, sim: KnownSim): void {
    if (number === null) return;
    if (this.#known.has(`${kind}:${number}`)) this.#known.set(`${kind}:${number}`, sim);
    if (this.#known.has(`any:${number}`)) this.#known.set(`any:${number}`, sim);
  }
}

export const cycleOfSim = (sim: KnownSim, at: number): { startedAt: number; endsAt: number } => {
  const { cycle } = sim;
  if (cycle && at >= cycle.startedAt && at < cycle.endsAt) return cycle;
  const { startedAt, endsAt } = cycleOf(
    { bundle: sim.resetCycle && { resetCycle: sim.resetCycle }, activatedAt: sim.activatedAt },
    new Date(at),
  );
  sim.cycle = { startedAt: startedAt.getTime(), endsAt: endsAt.getTime() };
  return sim.cycle;
};
