import type pg from 'pg';
import type { Customer } from './customers.views.ts';

/** While one month is computed, another one is read and written. */
const customersAtOnce = 2;
/**
 * A month is written in one transaction and read in another: customers that waited for each other's connections
 * would wait forever.
 */
const connectionsEach = 2;

/**
 * Does something for each customer, several concurrently. An error does not stop the others; it is thrown at
 * the end.
 */
export const eachCustomer = async (
  pool: pg.Pool,
  customers: readonly Customer[],
  work: (customer: Customer) => Promise<void>,
): Promise<void> => {
  const left = customers.values();
  const failures: unknown[] = [];
  const some = async () => {
    for (const customer of left) await work(customer).catch((failure: unknown) => failures.push(failure));
  };
  const atOnce = Math.max(1, Math.min(customersAtOnce, Math.floor(pool.options.max / connectionsEach)));
  await Promise.all(Array.from({ length: atOnce }, some));
  if (failures.length > 0) throw failures[0];
};
