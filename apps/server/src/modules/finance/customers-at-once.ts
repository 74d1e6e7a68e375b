import type { Customer } from './customers.views.ts';

/** While one month is computed another one is read and written. Each takes two connections. */
const customersAtOnce = 2;

/** Does something for each customer, some at once. One that fails keeps no other from being done; it is thrown in the end. */
export const eachCustomer = async (
  customers: readonly Customer[],
  work: (customer: Customer) => Promise<void>,
): Promise<void> => {
  const left = customers.values();
  const failures: unknown[] = [];
  const some = async () => {
    for (const customer of left) await work(customer).catch((failure: unknown) => failures.push(failure));
  };
  await Promise.all(Array.from({ length: customersAtOnce }, some));
  if (failures.length > 0) throw failures[0];
};
