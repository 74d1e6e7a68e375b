import type { Bill } from '@simcube/contract/finance';
import { dayMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import { businessDays } from '../../../lib/time/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { useCalendar, useNow } from '../../../ui/time/index.ts';
import { stateTones } from '../words.ts';
import styles from './finance.module.css';

/** The state of a bill, and the time until or since its due date. */
export const PaymentStatus = ({ bill }: { bill: Pick<Bill, 'state' | 'due_on' | 'paid_on'> }) => {
  const { t } = useTranslation();
  const { state } = bill;
  const more = usePaymentStatus(bill);
  return (
    <span className={styles['paymentStatus']}>
      <Status tone={state === null ? 'grey' : stateTones[state]}>
        {state === null ? t('finance.obsolete') : t(`finance.states.${state}`)}
      </Status>
      {more === null ? null : <small>{more}</small>}
    </span>
  );
};

/** The time until or since its due date, or when it was paid. */
export const usePaymentStatus = ({
  state,
  due_on: due,
  paid_on: paid,
}: Pick<Bill, 'state' | 'due_on' | 'paid_on'>) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const today = Date.parse(businessDays.dayOf(useNow())) / dayMs;
  if (state === 'paid' && paid !== null) return calendar.shortDay(paid);
  if (due === null || (state !== 'issued' && state !== 'expired')) return null;
  const count = Math.abs(Date.parse(due) / dayMs - today);
  if (state === 'expired') return t('finance.pastDue', { count });
  return count === 0 ? t('finance.dueToday') : t('finance.dueIn', { count });
};
