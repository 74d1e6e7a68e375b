/**
 * SQL for a network's code as people write it, such as 262-02, from its number (mcc * 1000 + mnc) and its row
 * of `networks`: a number without a row is written with as many digits as it needs, as in `networkOf`.
 */
export const networkCode = (plmn: string, network: string): string =>
  `coalesce(${network}.mcc, to_char(${plmn} / 1000, 'FM000')) || '-' || coalesce(${network}.mnc, to_char(${plmn} % 1000, 'FM900'))`;
