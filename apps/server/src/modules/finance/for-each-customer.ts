import type pg from 'pg';
import type { Customer } from './customers.views.ts';

/** While one month is computed, another one is read and written. */
const maxConcurrency = 2;
/**
 * A month is written in one transaction and read in another: customers that waited for each other's connections
 * would wait forever.
 */
const connectionsPerCustomer = 2;

/**
 * Does something for each customer, several concurrently. An error does not stop the others; it is thrown at
 * the end.
 */
export const forEachCustomer = async (
  pool: pg.Pool,
  customers: readonly Customer[],
  work: (customer: Customer) => Promise<void>,
): Promise<void> => {
  const remaining = customers.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const customer of remaining)
      await work(customer).catch((failure: unknown) => failures.push(failure));
  };
  const concurrency = Math.max(
    1,
    Math.min(maxConcurrency, Math.floor(pool.options.max / connectionsPerCustomer)),
  );
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw failures[0];
};
