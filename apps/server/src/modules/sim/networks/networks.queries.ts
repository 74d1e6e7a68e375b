import { all } from 'mcc-mnc-list';
import type { Sql } from '../../../platform/db/index.ts';
import { countryOfShared } from './shared-numbers.ts';

export interface NetworkRow {
  plmn: number;
  mcc: string;
  mnc: string;
  operator: string | null;
  country: string | null;
}

interface ListedNetwork {
  mcc: string | null;
  mnc: string | null;
  brand: string | null;
  operator: string | null;
  countryCode: string | null;
  status: string | null;
}

/** The countries of an entry: several for a group of islands. International networks (901 …) have none. */
const countriesOf = ({ countryCode }: Pick<ListedNetwork, 'countryCode'>): string[] =>
  (countryCode ?? '').split('/').flatMap((code) => /^[A-Z]{2}/.exec(code) ?? []);

/**
 * The list as rows of the table, one per number: if there are several entries, one in operation and in the
 * operator's country.
 */
export const networkRows = (networkList: readonly ListedNetwork[]): NetworkRow[] => {
  const numbers = new Map<number, { mcc: string; mnc: string; entries: ListedNetwork[] }>();
  for (const entry of networkList) {
    const { mcc, mnc } = entry;
    if (!mcc || !mnc || !/^\d{3}$/.test(mcc) || !/^\d{2,3}$/.test(mnc)) continue;
    const plmn = Number(mcc) * 1000 + Number(mnc);
    const network = numbers.get(plmn) ?? { mcc, mnc, entries: [] };
    network.entries.push(entry);
    numbers.set(plmn, network);
  }
  return [...numbers].map(([plmn, { mcc, mnc, entries }]) => {
    const operating = entries.filter(({ status }) => status === 'Operational');
    const candidates = operating.length > 0 ? operating : entries;
    const countries = [...new Set(candidates.flatMap(countriesOf))];
    const shared =
      countries.length > 1 ? (countryOfShared[`${mcc}-${mnc}`] ?? countryOfShared[mcc]) : undefined;
    const country = shared ?? countries[0] ?? null;
    const entry = candidates.find((one) => country && countriesOf(one).includes(country)) ?? candidates[0];
    return { plmn, mcc, mnc, operator: entry?.brand || entry?.operator || null, country };
  });
};

/** Fills the table of networks, and updates it to this version's list. Idempotent. */
export const syncNetworks = async (sql: Sql): Promise<number> => {
  const rows = networkRows(all());
  const { rowCount } = await sql.query(
    `insert into networks as n (plmn, mcc, mnc, operator, country)
     select * from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[])
     on conflict (plmn) do update
       set mcc = excluded.mcc, mnc = excluded.mnc, operator = excluded.operator, country = excluded.country
       where (n.mcc, n.mnc, n.operator, n.country)
         is distinct from (excluded.mcc, excluded.mnc, excluded.operator, excluded.country)`,
    [
      rows.map((row) => row.plmn),
      rows.map((row) => row.mcc),
      rows.map((row) => row.mnc),
      rows.map((row) => row.operator),
      rows.map((row) => row.country),
    ],
  );
  return rowCount ?? 0;
};
