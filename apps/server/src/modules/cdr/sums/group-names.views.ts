import { type CdrGroup, type CdrGrouping, unknownValues } from '@simcube/contract/cdr';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { listNetworks, radioName } from '../cdr-filter.views.ts';
import type { Span } from './sums.rules.ts';

/** Returns the name of a group by its key; undefined if nothing has that key. */
export type GroupNames = (key: string) => Pick<CdrGroup, 'key' | 'name' | 'country'> | undefined;

const plain: GroupNames = (key) => ({ key, name: null, country: null });

/**
 * Undefined for SIMs, which are named once they are known.
 * @param span contains all usage of the groups
 */
export const namesOf = async (
  db: Db,
  { orgId, span, grouping }: { orgId: number; span: Span; grouping: CdrGrouping },
): Promise<GroupNames | undefined> => {
  if (grouping === 'sim') return undefined;
  if (grouping === 'radio') return (key) => plain(radioName(Number(key)));
  if (grouping === 'day_radio') {
    return (key) => plain(`${key.slice(0, 10)} ${radioName(Number(key.slice(11)))}`);
  }
  if (grouping !== 'operator' && grouping !== 'day_operator') return plain;
  const networks = new Map((await listNetworks(db, orgId, span)).map((network) => [network.plmn, network]));
  return (key) => {
    const [day, plmn] = grouping === 'operator' ? ['', key] : [key.slice(0, 11), key.slice(11)];
    const found = networks.get(Number(plmn));
    const country = found?.country === unknownValues.country ? null : (found?.country ?? null);
    return found && { key: `${day}${found.code}`, name: found.name, country };
  };
};

/** SIMs by ICCID; the device name is only shown to the SIM's current organisation. */
export const namesOfSims = async (db: Db, orgId: number, keys: readonly string[]): Promise<GroupNames> => {
  const { rows } = await sql<{ id: number; iccid: string; name: string | null }>`
    select id, iccid, case when org_id = ${orgId} then device_name end as name
    from sims where id = any(${keys.map(Number)}::bigint[])`.execute(db);
  const sims = new Map(rows.map(({ id, iccid, name }) => [String(id), { key: iccid, name, country: null }]));
  return (key) => sims.get(key);
};
