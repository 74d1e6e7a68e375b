import { continents, countries as countriesByCode } from 'countries-list';
import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import styles from './country-list.module.css';

type Continent = keyof typeof continents | 'other';

const continentOf = (country: string): Continent =>
  Object.hasOwn(countriesByCode, country)
    ? countriesByCode[country as keyof typeof countriesByCode].continent
    : 'other';

/** The coverage of a bundle: country names by continent. Empty means everywhere. */
export const CountryList = ({ countries }: { countries: readonly string[] }) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (countries.length === 0) return <p className={styles['line']}>{t('simTabs.coverage.everywhere')}</p>;
  const byName = countries
    .map((code) => ({ continent: continentOf(code), name: format.country(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, format.language));
  const groups = ([...Object.keys(continents), 'other'] as Continent[])
    .map((continent) => ({ continent, names: byName.filter((one) => one.continent === continent) }))
    .filter(({ names }) => names.length > 0);
  return (
    <div className={styles['list']}>
      <p className={styles['line']}>{t('simTabs.coverage.countries', { count: countries.length })}</p>
      <dl className={styles['groups']}>
        {groups.map(({ continent, names }) => (
          <div key={continent}>
            <dt>
              {continent === 'other'
                ? t('simTabs.coverage.otherContinent')
                : t(`org.continents.${continent}`)}
            </dt>
            <dd>{joinList(names.map(({ name }) => name))}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
};
