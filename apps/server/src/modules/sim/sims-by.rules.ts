/** How `sim_identifiers` numbers what a SIM is identified by. */
const kindNumbers = { iccid: 1, imsi: 2, msisdn: 3 } as const;

/**
 * The only way from an identifier to its SIM, as a relation in SQL: `value`, which is indexed, and `sim_id`.
 * Values are unique within a kind; one value may be the IMSI of one SIM and the MSISDN of another.
 * @param kinds kinds of identifiers; all if none is given
 */
export const simsBy = (...kinds: readonly (keyof typeof kindNumbers)[]): string => {
  const numbers = kinds.map((kind) => kindNumbers[kind]).join(', ');
  return `(select value, sim_id from sim_identifiers${numbers && ` where kind in (${numbers})`})`;
};
