import { endpoints } from '@simcube/contract';
import type { SmsUsage } from '@simcube/contract/sms';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import styles from './lifecycle-card.module.css';

/**
 * The remaining parts of the month's quota, as on the page of messages (also spent by organisations that share the quota), and
 * the number of messages in each direction; nothing for people who may not see SIMs.
 */
export const SmsOfMonth = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { usage, error, retry } = useUsage();
  const title = t('dashboard.sms.title');
  if (!session.can('sim')) return null;
  return (
    <section aria-busy={!usage && !error} aria-label={title} className={styles['sms']}>
      <h3>{session.can('cube-schedule-sms') ? <Link href={`/${language}/message`}>{title}</Link> : title}</h3>
      {usage ? <Figures usage={usage} /> : null}
      {usage || error ? null : <Loading rows={1} />}
      {error && !usage ? <Failure error={error} onRetry={retry} small /> : null}
    </section>
  );
};

const Figures = ({ usage: { quota, mt, mo } }: { usage: SmsUsage }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { limit, used, remaining } = quota;
  // A server of the version before does not tell them apart.
  const { used_below: below = 0, used_above: above = 0 } = quota as Partial<typeof quota>;
  const text =
    remaining === null
      ? t('dashboard.sms.noLimit', { shown: count(used) })
      : limit === null
        ? t('dashboard.sms.left', { shown: count(remaining) })
        : t('dashboard.sms.leftOf', { shown: count(remaining), limit: count(limit) });
  return (
    <>
      <span>{text}</span>
      {limit === null || remaining === null ? null : (
        <UsageBar label={text} limit={limit} size="card" used={limit - remaining} />
      )}
      <span>{t('dashboard.sms.messages', { mt: count(mt), mo: count(mo) })}</span>
      {below + above === 0 ? null : (
        <span>
          {joinList([
            t('dashboard.sms.usedHere', { shown: count(used - below) }),
            ...(below > 0 ? [t('dashboard.sms.usedBelow', { shown: count(below) })] : []),
            ...(above > 0 ? [t('dashboard.sms.usedByOthers', { shown: count(above) })] : []),
          ])}
        </span>
      )}
    </>
  );
};

/** Messages are sent and received all the time: maximum age of their count. */
const minRefetchMs = 60_000;

const useUsage = () => {
  const { data, error, refetch } = useApiQuery({
    ...endpointQuery(endpoints.sms.usage),
    enabled: session.can('sim'),
  });
  const refresh = useThrottled(() => void refetch(), minRefetchMs);
  useLive('sms.changed', refresh);
  useLive('stream.reset', refresh);
  return { usage: data?.data, error, retry: () => void refetch() };
};
