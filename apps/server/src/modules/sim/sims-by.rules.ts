/** How `sim_identifiers` numbers what a SIM is identified by. */
const kinds = { iccid: 1, imsi: 2, msisdn: 3 } as const;

/**
 * The only way from an identifier to its SIM, as a relation in SQL: `value`, which is indexed, and `sim_id`.
 * Values are unique within a kind; one value may be the IMSI of one SIM and the MSISDN of another.
 * @param of kinds of identifiers; all if none is given
 */
export const simsBy = (...of: readonly (keyof typeof kinds)[]): string => {
  const numbers = of.map((kind) => kinds[kind]).join(', ');
  return `(select value, sim_id from sim_identifiers${numbers && ` where kind in (${numbers})`})`;
};
