import type { Sql } from '../../../platform/db/index.ts';

const batchSize = 2000;

/** Rows of a statement in batches, within the transaction: memory does not grow with their number. */
export async function* readByCursor<R extends object>(
  tx: Sql,
  { text, values }: { text: string; values: unknown[] },
): AsyncGenerator<readonly R[]> {
  await tx.query(`declare report_rows no scroll cursor for ${text}`, values);
  for (;;) {
    const { rows } = await tx.query<R>(`fetch ${batchSize} from report_rows`);
    yield rows;
    if (rows.length < batchSize) break;
  }
  await tx.query('close report_rows');
}
