import type { Heatmap, HeatmapMetric } from '@simcube/contract/heatmap';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Link } from '../../../ui/link/index.ts';
import styles from './country-card.module.css';
import { useAmounts } from './use-amounts.ts';

interface CountryCardProps {
  country: Heatmap['countries'][number] & { country: string };
  figures: Heatmap;
  metric: HeatmapMetric;
  /** Name of the comparison; empty without one. */
  compared: string;
  /** Set if the card is pinned: only then can its links be clicked. */
  links:
    | { sims: string | undefined; cdrs: string | undefined; open: string; onClose: () => void }
    | undefined;
}

const networksShown = 3;

/** Details of one country: amount, days, networks, and links. */
export const CountryCard = ({ country, figures, metric, compared, links }: CountryCardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const amounts = useAmounts(metric);
  // Nothing of any country is counted then.
  const amount = figures.total[metric] === null ? null : country[metric];
  const isCounted = figures.total.sims !== null;
  const name = format.country(country.country);
  const max = Math.max(1, ...country.days.map((day) => day ?? 0));
  return (
    <section aria-label={name} className={styles['card']} data-kept={links !== undefined}>
      <header className={styles['head']}>
        <h2>{name}</h2>
        {metric === 'usage' && figures.total.usage > 0 ? (
          <span>
            {t('heatmap.shareOfUsage', { share: format.percent(country.usage / figures.total.usage) })}
          </span>
        ) : null}
        {links ? (
          <button aria-label={t('heatmap.close', { country: name })} onClick={links.onClose} type="button">
            <svg aria-hidden="true" height="12" stroke="currentColor" viewBox="0 0 12 12" width="12">
              <path d="M2 2l8 8M10 2l-8 8" strokeLinecap="round" strokeWidth="1.4" />
            </svg>
          </button>
        ) : null}
      </header>
      <p className={styles['figure']}>
        <strong>{amounts.text(amount)}</strong>
        {compared ? <span>{`${amounts.change(country)} ${compared}`}</span> : null}
      </p>
      <div aria-hidden="true" className={styles['days']}>
        {country.days.map((day, index) => (
          <span
            key={figures.period.from + String(index)}
            style={{ height: `${Math.max(2, (100 * (day ?? 0)) / max)}%` }}
          />
        ))}
      </div>
      <dl className={styles['facts']}>
        <dt>{t('heatmap.metrics.usage')}</dt>
        <dd>{format.bytes(country.usage).text}</dd>
        <dt>{t('heatmap.units.sims')}</dt>
        <dd>{isCounted ? format.count(country.sims) : t('common.states.none')}</dd>
        <dt>{t('heatmap.units.sessions')}</dt>
        <dd>{isCounted ? format.count(country.sessions) : t('common.states.none')}</dd>
        <dt>{t('heatmap.cellsSeen')}</dt>
        <dd>{isCounted ? format.count(country.cells) : t('common.states.none')}</dd>
      </dl>
      <Networks country={country.country} figures={figures} metric={metric} whole={amount ?? 0} />
      {links ? (
        <footer className={styles['links']}>
          <Link href={links.open}>{t('heatmap.open', { country: name })}</Link>
          {links.sims ? <Link href={links.sims}>{t('shell.menu.sims')}</Link> : null}
          {links.cdrs ? <Link href={links.cdrs}>{t('shell.menu.cdrs')}</Link> : null}
        </footer>
      ) : null}
    </section>
  );
};

const Networks = (props: { country: string; figures: Heatmap; metric: HeatmapMetric; whole: number }) => {
  const { country, figures, metric, whole } = props;
  const format = useFormat();
  const networks = figures.operators.filter((one) => one.country === country).slice(0, networksShown);
  if (whole === 0 || networks.length === 0) return null;
  const share = (amount: number) => Math.min(1, amount / whole);
  return (
    <div className={styles['networks']}>
      <div aria-hidden="true" className={styles['parts']}>
        {networks.map((one) => (
          <span key={`${one.mcc}-${one.mnc}`} style={{ width: `${100 * share(one[metric])}%` }} />
        ))}
      </div>
      <ul>
        {networks.map((one) => (
          <li key={`${one.mcc}-${one.mnc}`}>
            {`${one.operator ?? `${one.mcc}-${one.mnc}`} ${format.percent(share(one[metric]))}`}
          </li>
        ))}
      </ul>
    </div>
  );
};
