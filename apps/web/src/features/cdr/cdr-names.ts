import { type Cdr, unknownValues } from '@simcube/contract/cdr';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';

/** Names of the values that records are grouped and filtered by, in the person's language. */
export const useCdrNames = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => ({
      /** By ISO 3166-1 alpha-2 code. */
      country: (code: string): string =>
        code === unknownValues.country ? t('cdr.unknown') : format.country(code),
      /** By MCC-MNC, with the operator's name if it is known, and the country: there is a Vodafone in many. */
      operator: (plmn: string, name: string | null, country: string | null): string => {
        if (plmn === unknownValues.operator) return t('cdr.unknown');
        if (name === null) return plmn;
        const namesCountry =
          country === null || country === unknownValues.country || name.endsWith(` ${country}`);
        return namesCountry ? name : `${name} ${country}`;
      },
      radio: (type: string): string => {
        if (type === unknownValues.radio) return t('cdr.unknown');
        return type === 'other' ? t('sim.otherRadio') : type;
      },
    }),
    [t, format],
  );
};
export type CdrNames = ReturnType<typeof useCdrNames>;

export const plmnOf = ({ mcc, mnc }: NonNullable<Cdr['network']>): string => `${mcc}-${mnc}`;
