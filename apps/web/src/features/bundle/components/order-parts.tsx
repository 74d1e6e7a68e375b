import type { Service } from '@simcube/contract/bundle';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Pill } from '../../../ui/card/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import styles from './order-parts.module.css';

const tones: Record<Service['status'], Tone> = {
  pending: 'purple',
  'in use': 'teal',
  expired: 'red',
  cancelled: 'grey',
};

export const orderTone = (status: Service['status']): Tone => tones[status];

export const OrderStatus = ({ status }: { status: Service['status'] }) => {
  const { t } = useTranslation();
  return <Status tone={tones[status]}>{t(`bundle.statuses.${status}`)}</Status>;
};

export const BundleType = ({ type }: { type: Service['bundle']['type'] }) => {
  const { t } = useTranslation();
  return <Pill>{t(`sim.bundleType.${type}`)}</Pill>;
};

export const Quota = ({ bytes }: { bytes: number | null }) => {
  const { t } = useTranslation();
  return bytes === null ? t('bundle.unlimited') : <Bytes value={bytes} />;
};

/** Usage of the running cycle; only the order in use has one. */
export const CycleBar = ({ cycle }: { cycle: Service['cycle'] }) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!cycle) return <span className={styles['none']}>{t('common.states.none')}</span>;
  const { used_bytes: used, limit_bytes: limit } = cycle;
  const words = limit
    ? t('sim.list.usageOf', { percent: format.percent(used / limit) })
    : t('sim.list.unlimited', { bytes: format.bytes(used).text });
  return (
    <span className={styles['cycle']}>
      <Bytes limit={limit} value={used} />
      {limit ? <UsageBar label={words} limit={limit} used={used} /> : null}
    </span>
  );
};
