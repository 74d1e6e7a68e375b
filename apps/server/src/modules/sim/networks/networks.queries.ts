import { all } from 'mcc-mnc-list';
import type { Sql } from '../../../platform/db/index.ts';

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

/**
 * The list as rows of the table, one for each number: of several entries the one in operation. International
 * networks (901 …) have no country.
 */
export const networkRows = (listed: readonly ListedNetwork[]): NetworkRow[] => {
  const rows = new Map<number, { row: NetworkRow; inOperation: boolean }>();
  for (const { mcc, mnc, brand, operator, countryCode, status } of listed) {
    if (!mcc || !mnc || !/^\d{3}$/.test(mcc) || !/^\d{2,3}$/.test(mnc)) continue;
    const plmn = Number(mcc) * 1000 + Number(mnc);
    const inOperation = status === 'Operational';
    if (rows.has(plmn) && (!inOperation || rows.get(plmn)?.inOperation)) continue;
    const country = /^[A-Z]{2}/.exec(countryCode ?? '')?.[0] ?? null;
    rows.set(plmn, { row: { plmn, mcc, mnc, operator: brand || operator || null, country }, inOperation });
  }
  return [...rows.values()].map(({ row }) => row);
};

/** Fills the table of networks, and brings it up to the list that this version carries. Safe to repeat. */
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
