import type { BundleSpec } from '@simcube/contract/bundle';
import type { Sql } from '../../platform/db/index.ts';

const specColumns = [
  'code',
  'name',
  'sku',
  'type',
  'quota_bytes',
  'overage_policy',
  'out_of_coverage_policy',
  'reset_cycle',
  'slow_kbps',
  'duration_days',
  'coverage_countries',
  'threshold_bytes',
  'stop_after_bytes',
  'orderable',
] as const satisfies (keyof BundleSpec)[];

/** @returns false when a bundle with this code exists */
export const insertBundle = async (tx: Sql, spec: BundleSpec): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `insert into bundles (${specColumns.join(', ')})
     values (${specColumns.map((_, index) => `$${index + 1}`).join(', ')}) on conflict (code) do nothing`,
    specColumns.map((column) => spec[column]),
  );
  return rowCount === 1;
};

export const findBundle = async (tx: Sql, code: string): Promise<BundleSpec | undefined> =>
  (await tx.query<BundleSpec>(`select ${specColumns.join(', ')} from bundles where code = $1`, [code]))
    .rows[0];

/**
 * Sets whether a bundle can be ordered.
 * @returns false when nothing changed
 */
export const updateOrderable = async (
  tx: Sql,
  { code, orderable }: Pick<BundleSpec, 'code' | 'orderable'>,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    'update bundles set orderable = $2 where code = $1 and orderable <> $2',
    [code, orderable],
  );
  return rowCount === 1;
};

/** The bundle with a code, locked against concurrent orders, and whether it was ever ordered. */
export const lockBundle = async (
  tx: Sql,
  code: string,
): Promise<{ spec: BundleSpec; isInUse: boolean } | undefined> => {
  const { rows } = await tx.query<BundleSpec & { id: number }>(
    `select id, ${specColumns.join(', ')} from bundles where code = $1 for update`,
    [code],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { id, ...spec } = row;
  const { rowCount } = await tx.query('select from bundle_orders where bundle_id = $1 limit 1', [id]);
  return { spec, isInUse: rowCount === 1 };
};

export const updateBundle = async (tx: Sql, spec: BundleSpec): Promise<void> => {
  await tx.query(
    `update bundles set ${specColumns.map((column, index) => `${column} = $${index + 1}`).join(', ')}
     where code = $1`,
    specColumns.map((column) => spec[column]),
  );
};

export const listBundleSpecs = async (sql: Sql): Promise<BundleSpec[]> =>
  (await sql.query<BundleSpec>(`select ${specColumns.join(', ')} from bundles order by code`)).rows;
