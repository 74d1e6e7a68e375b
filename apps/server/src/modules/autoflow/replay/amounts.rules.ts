/** Amounts in minor units, by currency. */
export type Amounts = Readonly<Record<string, number>>;

export const addAmounts = (sum: Amounts, others: Amounts): Amounts => {
  const added = { ...sum };
  for (const [currency, amount] of Object.entries(others)) added[currency] = (added[currency] ?? 0) + amount;
  return added;
};
