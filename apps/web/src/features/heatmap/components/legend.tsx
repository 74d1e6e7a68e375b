import { useTranslation } from 'react-i18next';
import type { Levels } from '../levels.ts';
import styles from './legend.module.css';
import type { Amounts } from './use-amounts.ts';

interface LegendProps {
  title: string;
  countries: Levels | undefined;
  hexagons: Levels | undefined;
  amounts: Amounts;
}

/** The amount of each shade. */
export const Legend = ({ title, countries, hexagons, amounts }: LegendProps) => {
  const { t } = useTranslation();
  const from = (bound: number) => t('heatmap.atLeast', { amount: amounts.text(bound) });
  return (
    <section aria-label={t('heatmap.legend')} className={styles['legend']}>
      <p>{title}</p>
      {countries ? (
        <ul className={styles['countries']}>
          <li data-level={0}>{`< ${amounts.text(countries.bounds[0] ?? 0)}`}</li>
          {countries.bounds.map((bound, index) => (
            <li data-level={index + 1} key={bound}>
              {from(bound)}
            </li>
          ))}
        </ul>
      ) : null}
      {hexagons ? (
        <ul className={styles['hexagons']}>
          <li className={styles['word']}>{t('heatmap.layers.cells')}</li>
          {hexagons.bounds.map((bound, index) => (
            <li data-level={index + 1} key={bound}>
              {from(bound)}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
};
