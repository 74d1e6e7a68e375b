import { endpoints } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { session } from '../../../lib/session/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import styles from './lifecycle-card.module.css';

/** Parts of the month's messages against the quota, and how many went each way. */
export const SmsOfMonth = () => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const usage = useUsage();
  if (!usage) return null;
  const { quota, mt, mo } = usage;
  const { limit, used } = quota;
  const words =
    limit === null
      ? t('dashboard.sms.noLimit', { shown: count(used) })
      : t('dashboard.sms.ofLimit', { shown: count(used), limit: count(limit) });
  const title = t('dashboard.sms.title');
  return (
    <div className={styles['sms']}>
      <h3>{session.can('cube-schedule-sms') ? <Link href={`/${language}/message`}>{title}</Link> : title}</h3>
      <span>{words}</span>
      {limit === null ? null : <UsageBar label={words} limit={limit} size="card" used={used} />}
      <span>{t('dashboard.sms.messages', { mt: count(mt), mo: count(mo) })}</span>
    </div>
  );
};

/** Messages come and go all the time: their count may be this old. */
const readEveryMs = 60_000;

/** Undefined until it is known, and for who may not see SIMs. */
const useUsage = () => {
  const { data, refetch } = useAnswer({
    ...endpointQuery(endpoints.sms.usage),
    enabled: session.can('sim'),
  });
  const again = usePaced(() => void refetch(), readEveryMs);
  useLive('sms.changed', again);
  useLive('stream.reset', again);
  return data?.data;
};
