import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { normaliseForSearch } from '../../../lib/format/index.ts';
import { useLanguage } from '../../../lib/language/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { countryGroups, searchTextOf } from '../countries.ts';
import styles from './country-select.module.css';

interface CountrySelectProps {
  id?: string;
  value?: string;
  onChange?: (code: string) => void;
}

/** A choice of country, by region. The form passes in the value. */
export const CountrySelect = (field: CountrySelectProps) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const options = useMemo(
    () =>
      countryGroups(language).map(({ continent, countries }) => ({
        label: t(`org.continents.${continent}`),
        title: continent,
        options: countries.map(({ code, name }) => ({ value: code, label: name, text: searchTextOf(code) })),
      })),
    [language, t],
  );
  return (
    <Select
      {...field}
      notFoundContent={<span className={styles['none']}>{t('org.countryNone')}</span>}
      optionRender={({ label, value }) => (
        <span className={styles['option']}>
          <span>{label}</span>
          <span className={styles['code']}>{value}</span>
        </span>
      )}
      options={options}
      placeholder={t('org.countryPlaceholder')}
      showSearch={{
        filterOption: (input, option) =>
          option !== undefined &&
          'text' in option &&
          String(option.text).includes(normaliseForSearch(input.trim())),
      }}
    />
  );
};
