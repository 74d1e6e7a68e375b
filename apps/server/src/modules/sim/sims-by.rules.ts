/** How `sim_identifiers` numbers what a SIM is identified by. */
const kinds = { iccid: 1, imsi: 2, msisdn: 3 } as const;

/**
 * The one way from an identifier to its SIM, as a relation of SQL: `value`, which an index finds, and `sim_id`. Its rows of a kind
 * are as unique as the SIMs'; one value may be the IMSI of a SIM and the MSISDN of another.
 * @param of kinds of identifiers; all of them when none is named
 */
export const simsBy = (...of: readonly (keyof typeof kinds)[]): string => {
  const numbers = of.map((kind) => kinds[kind]).join(', ');
  return `(select value, sim_id from sim_identifiers${numbers && ` where kind in (${numbers})`})`;
};
