import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { mayWrite } from '../account-rules.ts';
import { useSeats } from '../api/use-accounts.ts';

/** "7 of 50 seats left" */
export const SeatsLeft = () => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data } = useSeats();
  if (!data) return null;
  const { limit, remaining } = data.data;
  const shown = { limit: count(limit) };
  return (
    <span>
      {remaining > 0 ? t('account.seats', { count: remaining, ...shown }) : t('account.seatsNone', shown)}
    </span>
  );
};

/** The main action of the list of accounts. */
export const NewAccountButton = () => {
  const { t } = useTranslation();
  const router = useRouter();
  const { language } = useFormat();
  const { data } = useSeats();
  if (!mayWrite()) return null;
  const isFull = data !== undefined && data.data.remaining <= 0;
  return (
    <Button disabled={isFull} onClick={() => router.history.push(`/${language}/newUser`)} type="primary">
      {t('account.new')}
    </Button>
  );
};
