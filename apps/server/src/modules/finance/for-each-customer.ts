import type pg from 'pg';
import type { Customer } from './customers.views.ts';

/** While one month is computed, another one is read and written. */
const maxConcurrency = 2;
/**
 * A month is written in one transaction and read in another: customers that waited for each other's connections
 * would wait forever.
 */
const connectionsPerCustomer = 2;

export interface CustomerFailure {
  customer: Customer;
  error: unknown;
}

/**
 * Does something for each customer, several concurrently. An error does not stop the others.
 * @returns the customers for which it failed
 */
export const tryEachCustomer = async (
  pool: pg.Pool,
  customers: readonly Customer[],
  work: (customer: Customer) => Promise<void>,
): Promise<CustomerFailure[]> => {
  const remaining = customers.values();
  const failures: CustomerFailure[] = [];
  const worker = async () => {
    for (const customer of remaining)
      await work(customer).catch((error: unknown) => failures.push({ customer, error }));
  };
  const concurrency = Math.max(
    1,
    Math.min(maxConcurrency, Math.floor(pool.options.max / connectionsPerCustomer)),
  );
  await Promise.all(Array.from({ length: concurrency }, worker));
  return failures;
};

/** @throws AggregateError that names each customer, if there are failures */
export const throwFailures = (failures: readonly CustomerFailure[]): void => {
  if (failures.length === 0) return;
  throw new AggregateError(
    failures.map(({ error }) => error),
    failures.map(textOf).join('\n'),
  );
};

const textOf = ({ customer: { code }, error }: CustomerFailure): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith(`${code} `) ? text : `${code}: ${text}`;
};

/** The same; what failed is thrown at the end. */
export const forEachCustomer = async (...work: Parameters<typeof tryEachCustomer>): Promise<void> =>
  throwFailures(await tryEachCustomer(...work));
