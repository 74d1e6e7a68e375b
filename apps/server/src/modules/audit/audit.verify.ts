import type pg from 'pg';
import { inSnapshot, type Sql } from '../../platform/db/index.ts';
import { hashOf, noHash } from './audit.chain.ts';
import { type Chain, listChains, readChain } from './audit.views.ts';

/** What is wrong with a chain, at the first faulty entry. */
export interface Break {
  number: number;
  /**
   * `changed`: its content is not what was hashed, or it is in another entry's place. `missing`: it is gone,
   * later ones exist. `cut`: it and all later ones are gone. `beyond`: it is after the recorded head, or the
   * head is gone. `rewritten`: the chain is consistent, but does not contain the hash that was stored
   * elsewhere.
   */
  why: 'changed' | 'missing' | 'cut' | 'beyond' | 'rewritten';
}

export interface Verdict {
  org_id: number;
  code: string | null;
  /** Valid entries before the first break. */
  entries: number;
  /** The recorded head of the chain, to be stored elsewhere. */
  head: { number: number; hash: string } | null;
  broken: Break | null;
}

/** A head of the chain that was stored outside the database: a rewritten chain does not match it. */
export interface StoredHead {
  number: number;
  hash: string;
}

/** A requested chain, with the code of its organisation; null if it has none, or no longer exists. */
export interface NamedChain {
  id: number;
  code: string | null;
}

const batch = 1000;

/** Walks the chains from their beginnings in one snapshot of the database, so that writers need not wait. */
export const verifyChains = (
  pool: pg.Pool,
  options: { org?: NamedChain | undefined; storedHead?: StoredHead | undefined },
): Promise<Verdict[]> =>
  inSnapshot(pool, async (tx) => {
    const verdicts: Verdict[] = [];
    for (const chain of await chainsOf(tx, options.org)) {
      const { entries, broken } = await walk(tx, chain, options.storedHead);
      verdicts.push({
        org_id: chain.orgId,
        code: chain.code,
        entries,
        head: chain.head && { number: chain.head.number, hash: chain.head.hash.toString('hex') },
        broken,
      });
    }
    return verdicts;
  });

/** A requested chain is verified even if none of it is left: its head may be stored elsewhere. */
const chainsOf = async (sql: Sql, org: NamedChain | undefined): Promise<Chain[]> => {
  if (!org) return listChains(sql);
  const found = await listChains(sql, org.id);
  return found.length > 0 ? found : [{ orgId: org.id, code: org.code, head: null }];
};

interface WalkResult {
  entries: number;
  broken: Break | null;
}

const walk = async (sql: Sql, chain: Chain, storedHead: StoredHead | undefined): Promise<WalkResult> => {
  let previous = noHash;
  let number = 0;
  const stop = (at: number, why: Break['why']): WalkResult => ({
    entries: number,
    broken: { number: at, why },
  });
  for (;;) {
    const rows = await readChain(sql, { orgId: chain.orgId, above: number, limit: batch });
    for (const row of rows) {
      if (row.number !== number + 1) return stop(number + 1, 'missing');
      const hash = hashOf(previous, row);
      if (!hash.equals(row.hash)) return stop(row.number, 'changed');
      if (chain.head === null || row.number > chain.head.number) return stop(row.number, 'beyond');
      if (storedHead?.number === row.number && storedHead.hash !== hash.toString('hex')) {
        return stop(row.number, 'rewritten');
      }
      previous = hash;
      number = row.number;
    }
    if (rows.length < batch) break;
  }
  const end = Math.max(chain.head?.number ?? 0, storedHead?.number ?? 0);
  if (number < end) return stop(number + 1, 'cut');
  if (chain.head && !chain.head.hash.equals(previous)) return stop(number, 'rewritten');
  return { entries: number, broken: null };
};
