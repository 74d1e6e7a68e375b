/**
 * SQL for the code of a network as people write it, such as 262-02, by its number (mcc * 1000 + mnc) and its row of `networks`:
 * one that has none is spelled with as many digits as it needs, as `networkOf` does.
 */
export const networkCode = (plmn: string, network: string): string =>
  `coalesce(${network}.mcc, to_char(${plmn} / 1000, 'FM000')) || '-' || coalesce(${network}.mnc, to_char(${plmn} % 1000, 'FM900'))`;
