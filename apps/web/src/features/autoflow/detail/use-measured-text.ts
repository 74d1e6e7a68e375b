import type { Measured } from '@simcube/contract/autoflow';
import { bundleTypes } from '@simcube/contract/bundle';
import { lifecycles } from '@simcube/contract/sim';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';

const instant = /^\d{4}-\d\d-\d\dT/;
const countryCode = /^[A-Z]{2}$/;
const currencyCode = /^[A-Z]{3}$/;

/** Replaces the codes in a list or in a change by their names; keeps the rest. */
const withNames = (text: string, t: TFunction, country: (code: string) => string): string =>
  text
    .split(/(, | → )/)
    .map((part) => {
      const lifecycle = lifecycles.find((one) => one === part);
      if (lifecycle) return t(`sim.lifecycle.${lifecycle}`);
      const type = bundleTypes.find((one) => one === part);
      if (type) return t(`sim.bundleType.${type}`);
      return countryCode.test(part) ? country(part) : part;
    })
    .join('');

/** Formats a figure in the unit of its trigger, an instant, or codes. */
export const useFigureText = () => {
  const { t } = useTranslation();
  const { bytes, count, country, dateTime, money } = useFormat();
  return useCallback(
    (value: string | number | null, unit: string | null): string => {
      if (value === null) return '—';
      if (typeof value === 'string')
        return instant.test(value) ? dateTime(value) : withNames(value, t, country);
      if (unit === 'octets') return bytes(value).text;
      if (unit === 'hours') return `${count(value)} ${t('autoflow.units.hours')}`;
      if (unit === 'SMS') return `${count(value)} SMS`;
      if (unit !== null && currencyCode.test(unit)) return money({ currency: unit, amount_minor: value });
      return count(value);
    },
    [t, bytes, count, country, dateTime, money],
  );
};

/** The comparison that made a rule fire. */
export const useMeasuredText = () => {
  const figure = useFigureText();
  return useCallback(
    ({ value, threshold, unit }: Measured): string => {
      if (threshold === null) return figure(value, unit);
      // A change from one value to another, or a figure and its threshold.
      const separator = typeof value === 'string' ? '→' : '/';
      return `${figure(value, unit)} ${separator} ${figure(threshold, unit)}`;
    },
    [figure],
  );
};
