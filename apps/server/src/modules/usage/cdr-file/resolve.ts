import type { Sql } from '../../../platform/db/index.ts';
import { findSims } from './cdr-file.queries.ts';
import { type IdentifierKind, identifierKinds } from './cdr-line.rules.ts';
import { OctetTable } from './octet-table.ts';
import type { ResolvedSim } from './records.ts';

const rememberedMost = 200_000;

/** Finds SIMs by the identifiers in files; queries the database once per chunk for new identifiers. */
export class SimDirectory {
  /** Identifiers in files; the tag is the kind's position in `identifierKinds`. */
  #identifiers = new OctetTable();
  /** Position in `#sims` by the identifier's number; -1 if no SIM has the identifier. */
  #places: number[] = [];
  #sims: ResolvedSim[] = [];
  #placesBySim = new Map<number, number>();

  get identifiers(): OctetTable {
    return this.#identifiers;
  }

  get sims(): readonly ResolvedSim[] {
    return this.#sims;
  }

  /** @returns the position in `sims`; -1 if there is none */
  placeOf(identifier: number): number {
    return this.#places[identifier] ?? -1;
  }

  /** For the following chunks: the SIM belongs to another organisation now. */
  move(simId: number, orgId: number): void {
    const place = this.#placesBySim.get(simId) ?? -1;
    const sim = this.#sims[place];
    if (sim) this.#sims[place] = { ...sim, orgId };
  }

  /** Clears everything when it grows too large; only while no identifier's number is in use. */
  keepSmall(): void {
    if (this.#identifiers.size <= rememberedMost) return;
    this.#identifiers = new OctetTable();
    this.#places = [];
    this.#sims = [];
    this.#placesBySim = new Map();
  }

  /** Looks up all identifiers that have not been looked up yet. */
  async learn(sql: Sql): Promise<void> {
    const asked = new Map<string, number[]>();
    const wanted: Record<IdentifierKind, string[]> = { iccid: [], imsi: [], msisdn: [], identifier: [] };
    for (let number = this.#places.length; number < this.#identifiers.size; number += 1) {
      this.#places.push(-1);
      const kind = identifierKinds[this.#identifiers.tag(number)] ?? 'identifier';
      const text = this.#identifiers.text(number);
      wanted[kind].push(text);
      const name = `${kind}:${text}`;
      asked.set(name, [...(asked.get(name) ?? []), number]);
    }
    if (asked.size === 0) return;
    const sims = await findSims(sql, {
      iccids: [...wanted.iccid, ...wanted.identifier],
      imsis: [...wanted.imsi, ...wanted.identifier],
      msisdns: [...wanted.msisdn, ...wanted.identifier],
    });
    // If numbers are equal, an ICCID takes precedence, then an IMSI: it is set last.
    for (const kind of ['msisdn', 'imsi', 'iccid'] as const) {
      for (const sim of sims) {
        const place = this.#place(sim);
        for (const name of [`${kind}:${sim[kind]}`, `identifier:${sim[kind]}`]) {
          for (const number of asked.get(name) ?? []) this.#places[number] = place;
        }
      }
    }
  }

  #place({ simId, orgId, resetCycle, activatedAt }: ResolvedSim): number {
    const known = this.#placesBySim.get(simId);
    if (known !== undefined) return known;
    this.#sims.push({ simId, orgId, resetCycle, activatedAt });
    this.#placesBySim.set(simId, this.#sims.length - 1);
    return this.#sims.length - 1;
  }
}
