import { bundleTypes, overagePolicies } from '@simcube/contract/bundle';
import type { SimBasic } from '@simcube/contract/sim';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import { lastInstantBefore } from '../../../lib/time/last-instant.ts';
import { unitNextToLimit } from '../../../ui/bytes/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { usageTone } from '../../../ui/usage-bar/index.ts';
import styles from './bundle-card.module.css';
import { CycleUsage } from './cycle-usage.tsx';

export const BundleCard = ({ basic }: { basic: SimBasic | undefined }) => {
  const { t } = useTranslation();
  const pending = basic?.bundle?.pending_orders ?? 0;
  return (
    <Card
      extra={pending > 0 ? t('sim.bundle.pending', { count: pending }) : null}
      title={t('sim.bundle.title')}
    >
      {basic === undefined ? <Loading rows={3} /> : null}
      {basic && !basic.bundle ? <Empty small title={t('sim.bundle.none')} /> : null}
      {basic?.bundle ? <CurrentBundle basic={basic} bundle={basic.bundle} /> : null}
    </Card>
  );
};

type Bundle = NonNullable<SimBasic['bundle']>;

const CurrentBundle = ({ basic: { cycle }, bundle }: { basic: SimBasic; bundle: Bundle }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { usage_bytes: used, limit_bytes: limit, uses_pool_limit } = cycle;
  const figure = limit === null ? format.bytes(used) : format.bytes(used, unitNextToLimit(used, limit));
  const sameUnit = limit !== null && figure.unit === unitOf(limit);
  const tone = uses_pool_limit ? 'amount' : usageTone(used, limit);
  return (
    <div className={styles['bundle']}>
      <div className={styles['name']}>
        <strong>{bundle.name}</strong>
        <Pill>{bundleTypeText(bundle.type, t)}</Pill>
      </div>
      <div className={styles['figures']}>
        <span className={styles['used']}>{figure.value}</span>
        <span className={styles['of']}>
          {sameUnit ? null : `${figure.unit} `}
          {limit === null
            ? `· ${t('sim.bundle.noLimit')}`
            : t('sim.bundle.of', { limit: format.bytes(limit).text })}
        </span>
        {limit ? (
          <span className={styles['percent']} data-tone={tone}>
            {format.percent(used / limit)}
          </span>
        ) : null}
      </div>
      <CycleUsage sim={{ cycle_usage_bytes: used, limit_bytes: limit, uses_pool_limit }} size="card" />
      <Projection bundle={bundle} cycle={cycle} />
    </div>
  );
};

/** The expected usage of the cycle, and what happens if it exceeds the limit. */
const Projection = ({ cycle, bundle }: { cycle: SimBasic['cycle']; bundle: Bundle }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { projected_bytes: projected, ends_at: end } = cycle;
  const limit = cycle.uses_pool_limit ? null : cycle.limit_bytes;
  if (end === null) return null;
  const date = calendar.businessDate(lastInstantBefore(end));
  if (projected === null) return <p className={styles['note']}>{t('sim.bundle.until', { date })}</p>;
  const over = limit !== null && projected > limit;
  return (
    <p className={styles['note']}>
      {t('sim.bundle.projected', { bytes: format.bytes(projected).text, date })}
      {limit === null
        ? null
        : ` · ${over ? overageText(bundle.overage_policy, t) : t('sim.bundle.withinLimit')}`}
    </p>
  );
};

/** A type or policy that is newer than this console is shown under the server's name. */
const bundleTypeText = (type: string, t: TFunction): string => {
  const known = bundleTypes.find((one) => one === type);
  return known ? t(`sim.bundleType.${known}`) : type;
};
const overageText = (policy: string, t: TFunction): string => {
  const known = overagePolicies.find((one) => one === policy);
  return known ? t(`sim.bundle.overage.${known}`) : policy;
};
