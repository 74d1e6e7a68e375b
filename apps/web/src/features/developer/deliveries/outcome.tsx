import type { DeliveryFault } from '@simcube/contract/notify';
import type { WebhookDelivery } from '@simcube/contract/webhook';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { dayOf } from '../../../lib/time/index.ts';
import { Status, type Tone } from '../../../ui/status/index.ts';
import { useNow } from '../../../ui/time/index.ts';
import { HttpCode } from '../calls/http-code.tsx';
import styles from '../developer.module.css';

const tones: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  waiting: 'orange',
  delivered: 'teal',
  failed: 'red',
};

/** Delivered, given up, or the time of the next attempt. */
export const Outcome = ({
  state,
  next_attempt_at: next,
}: Pick<WebhookDelivery, 'state' | 'next_attempt_at'>) => {
  const { t } = useTranslation();
  const format = useFormat();
  const now = new Date(useNow()).toISOString();
  /** Attempts are up to an hour apart: the next one may be tomorrow. */
  const timeOf = (at: string): string =>
    dayOf(at, format.zone) === dayOf(now, format.zone) ? format.time(at) : format.shortDateTime(at);
  return (
    <Status tone={tones[state]}>
      {state === 'waiting' && next !== null
        ? t('developer.deliveries.nextTry', { time: timeOf(next) })
        : t(`developer.deliveries.states.${state}`)}
    </Status>
  );
};

/** Faults of webhooks that have a word of their own. */
const briefFaults = [
  'address',
  'port',
  'scheme',
  'redirect',
  'time',
  'connection',
  'certificate',
  'secret',
  'interrupted',
  'paused',
  'disabled',
  'type',
  'expired',
] as const satisfies readonly DeliveryFault[];
const isBrief = (fault: DeliveryFault): fault is (typeof briefFaults)[number] =>
  (briefFaults as readonly DeliveryFault[]).includes(fault);

/** The response status, or a short reason why there was none. */
export const ResponseStatus = ({ status, fault }: Pick<WebhookDelivery, 'status' | 'fault'>) => {
  const { t } = useTranslation();
  if (status !== null) return <HttpCode code={status} />;
  if (fault === null) return null;
  return (
    <code className={styles['code']} data-class="5" title={t(`notify.faults.${fault}`)}>
      {isBrief(fault) ? t(`developer.deliveries.faults.${fault}`) : t(`notify.faults.${fault}`)}
    </code>
  );
};

/** `88 ms`, `7.78 s`, `89 s` */
export const useDurationText = () => {
  const { t } = useTranslation();
  const { count, rounded } = useFormat();
  return (ms: number): string => {
    if (ms < 1000) return t('developer.ms', { shown: count(ms) });
    const seconds = ms / 1000;
    return t('developer.seconds', { shown: seconds < 10 ? rounded(seconds) : count(Math.round(seconds)) });
  };
};
