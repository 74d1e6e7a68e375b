import type { Sql } from '../platform/db/index.ts';

/** A customer's month whose bills are all published. */
export const publishedMonth = async (
  sql: Sql,
  { orgId, month = '2026-10' }: { orgId: number; month?: string },
): Promise<void> => {
  await sql.query(
    `insert into bill_months (org_id, month_on, drafted_at, published_at) values ($1, $2, '2026-11-03', '2026-11-03')
     on conflict (org_id, month_on) do update set published_at = excluded.published_at, awaits_tariff = false`,
    [orgId, `${month}-01`],
  );
};

/** One published bill by default: a line for each given kind, the first of which includes each SIM once. */
export const makeBill = async (
  sql: Sql,
  bill: { orgId: number; simIds?: readonly number[]; month?: string; serial?: number; version?: number },
): Promise<number> => {
  const { orgId, simIds = [], month = '2026-10', serial = null, version = 1 } = bill;
  await sql.query(
    `with made as (
       insert into tariffs (code, name, currency) values ('bills', 'Bills', 'EUR') on conflict do nothing returning id)
     insert into tariff_versions (tariff_id, starts_on) select id, '2026-01-01' from made`,
  );
  const { rows } = await sql.query<{ id: number }>(
    `insert into bills (serial, version, org_id, month_on, type, currency, status, computed_at, issued_at, due_on, total_minor)
     values (coalesce($3::bigint, nextval('bill_serials')), $4, $1, $2, 'post-payment', 'EUR', 'published', now(),
       '2026-11-03', '2026-11-13', 600) returning id`,
    [orgId, `${month}-01`, serial, version],
  );
  const id = rows[0]?.id as number;
  await sql.query(
    `insert into bill_lines (bill_id, line, org_id, kind, tariff_version_id, tariff_code, tariff_name, tariff_starts_on,
       quantity, unit, price_micros, amount_minor)
     select $1, n, $2, (array['cycle', 'over-quota', 'sms-mt'])[n], v.id, 'bills', 'Bills', v.starts_on, n, 'each', 1000000, n * 100
     from generate_series(1, 3) n, tariff_versions v join tariffs t on t.id = v.tariff_id where t.code = 'bills'`,
    [id, orgId],
  );
  await sql.query(
    `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity, sim_quantity)
     select $1, 1, s, $3::timestamptz, 1, 1 from unnest($2::bigint[]) as s`,
    [id, simIds, `${month}-01`],
  );
  await sql.query(
    `insert into bill_sims (bill_id, sim_id, amount_micros) select $1, s, 1000000 from unnest($2::bigint[]) as s`,
    [id, simIds],
  );
  return id;
};
