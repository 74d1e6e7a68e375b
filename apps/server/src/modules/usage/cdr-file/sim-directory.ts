import type { Sql } from '../../../platform/db/index.ts';
import { findSims } from './cdr-file.queries.ts';
import { type IdentifierKind, identifierKinds } from './cdr-line.rules.ts';
import { OctetTable } from './octet-table.ts';
import type { ResolvedSim } from './records.ts';

const maxCachedIdentifiers = 200_000;

/** Finds SIMs by the identifiers in files; queries the database once per chunk for new identifiers. */
export class SimDirectory {
  /** Identifiers in files; the tag is the kind's position in `identifierKinds`. */
  #identifiers = new OctetTable();
  /** Position in `#sims` by the identifier's number; -1 if no SIM has the identifier. */
  #positions: number[] = [];
  #sims: ResolvedSim[] = [];
  #positionsBySim = new Map<number, number>();

  get identifiers(): OctetTable {
    return this.#identifiers;
  }

  get sims(): readonly ResolvedSim[] {
    return this.#sims;
  }

  /** @returns the position in `sims`; -1 if there is none */
  positionOf(identifier: number): number {
    return this.#positions[identifier] ?? -1;
  }

  /** For the following chunks: the SIM belongs to another organisation now, or has another bundle. */
  update({ simId, ...changes }: Partial<ResolvedSim> & { simId: number }): void {
    const position = this.#positionsBySim.get(simId) ?? -1;
    const sim = this.#sims[position];
    if (sim) this.#sims[position] = { ...sim, ...changes };
  }

  /** Clears everything when it grows too large; only while no identifier's number is in use. */
  resetIfLarge(): void {
    if (this.#identifiers.size <= maxCachedIdentifiers) return;
    this.#identifiers = new OctetTable();
    this.#positions = [];
    this.#sims = [];
    this.#positionsBySim = new Map();
  }

  /** Looks up all identifiers that have not been looked up yet. */
  async lookUpNew(sql: Sql): Promise<void> {
    const numbersByName = new Map<string, number[]>();
    const lookups: Record<IdentifierKind, string[]> = { iccid: [], imsi: [], msisdn: [], identifier: [] };
    for (let number = this.#positions.length; number < this.#identifiers.size; number += 1) {
      this.#positions.push(-1);
      const kind = identifierKinds[this.#identifiers.tag(number)] ?? 'identifier';
      const text = this.#identifiers.text(number);
      lookups[kind].push(text);
      const name = `${kind}:${text}`;
      numbersByName.set(name, [...(numbersByName.get(name) ?? []), number]);
    }
    if (numbersByName.size === 0) return;
    const sims = await findSims(sql, {
      iccids: [...lookups.iccid, ...lookups.identifier],
      imsis: [...lookups.imsi, ...lookups.identifier],
      msisdns: [...lookups.msisdn, ...lookups.identifier],
    });
    // If numbers are equal, an ICCID takes precedence, then an IMSI: it is set last.
    for (const kind of ['msisdn', 'imsi', 'iccid'] as const) {
      for (const sim of sims) {
        const position = this.#positionFor(sim);
        for (const name of [`${kind}:${sim[kind]}`, `identifier:${sim[kind]}`]) {
          for (const number of numbersByName.get(name) ?? []) this.#positions[number] = position;
        }
      }
    }
  }

  #positionFor({ simId, orgId, resetCycle, activatedAt }: ResolvedSim): number {
    const existing = this.#positionsBySim.get(simId);
    if (existing !== undefined) return existing;
    this.#sims.push({ simId, orgId, resetCycle, activatedAt });
    this.#positionsBySim.set(simId, this.#sims.length - 1);
    return this.#sims.length - 1;
  }
}
