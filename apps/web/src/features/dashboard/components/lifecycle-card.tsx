import type { lifecycles } from '@simcube/contract/sim';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { RingChart } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Dot, lifecycleTones } from '../../../ui/status/index.ts';
import { useLifecycleCount } from '../api/use-dashboard.ts';
import styles from './lifecycle-card.module.css';
import { SmsOfMonth } from './sms-of-month.tsx';

/** Starts with the largest part of a healthy fleet. */
const order = [
  'active',
  'pre-activated',
  'paused',
  'expired',
  'terminated',
] as const satisfies (typeof lifecycles)[number][];

/** SIMs by lifecycle; each part links to its SIMs, for people who may see them. */
export const LifecycleCard = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const router = useRouter();
  const { data: response, error, refetch } = useLifecycleCount();
  const slices = order.map((lifecycle) => ({
    lifecycle,
    name: t(`sim.lifecycle.${lifecycle}`),
    value: response?.data.lifecycle[lifecycle] ?? 0,
    colour: lifecycleTones[lifecycle],
    href: `/${format.language}/simCard?lifecycle=${lifecycle}`,
  }));
  const hasLinks = session.can('sim');
  return (
    <Card title={t('dashboard.lifecycle.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading circle={110} rows={4} />}
      {response ? (
        <div className={styles['lifecycle']}>
          <RingChart
            categoryLabel={t('dashboard.lifecycle.status')}
            label={t('dashboard.lifecycle.title')}
            onSelect={
              hasLinks
                ? (index) => {
                    const slice = slices[index];
                    if (slice) router.history.push(slice.href);
                  }
                : undefined
            }
            format={format.count}
            size={118}
            slices={slices}
            valueLabel={t('dashboard.lifecycle.sims', { count: response.data.total })}
          >
            <span className={styles['total']}>{format.count(response.data.total)}</span>
            <span className={styles['sims']}>
              {t('dashboard.lifecycle.sims', { count: response.data.total })}
            </span>
          </RingChart>
          <ul className={styles['legend']}>
            {slices.map(({ lifecycle, name, value, colour, href }) => {
              const entry = (
                <>
                  <Dot tone={colour} />
                  <span>{name}</span>
                  <b>{format.count(value)}</b>
                </>
              );
              return (
                <li className={hasLinks ? undefined : styles['entry']} key={lifecycle}>
                  {hasLinks ? (
                    <Link className={styles['entry']} href={href}>
                      {entry}
                    </Link>
                  ) : (
                    entry
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      ) : null}
      {response?.data.total === 0 ? <p className={styles['none']}>{t('dashboard.lifecycle.none')}</p> : null}
      <SmsOfMonth />
    </Card>
  );
};
