import type { Partner } from '@simcube/contract/account';
import { useTranslation } from 'react-i18next';
import { Card, Pill } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { usePartners } from '../api/use-accounts.ts';
import styles from './partners-card.module.css';

/** The organisations of a person, as far as the current user may see them. */
export const PartnersCard = ({ userId }: { userId: string }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = usePartners(userId);
  return (
    <Card extra={t('account.detail.organisationsHint')} title={t('account.detail.organisations')}>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {!error && !data ? <Loading rows={2} /> : null}
      {data?.data.length === 0 ? <Empty small title={t('account.detail.noOrganisations')} /> : null}
      {data && data.data.length > 0 ? (
        <ul className={styles['list']}>
          {data.data.map((partner) => (
            <PartnerLine key={partner.code} partner={partner} />
          ))}
        </ul>
      ) : null}
    </Card>
  );
};

const PartnerLine = ({ partner }: { partner: Partner }) => {
  const { t } = useTranslation();
  return (
    <li className={styles['line']}>
      <span className={styles['name']}>{partner.name}</span>
      <span className={styles['facts']}>
        {partner.code} · {t(`common.roles.${partner.role}`)} · <Time at={partner.joined_at} style="date" />
      </span>
      <span className={styles['pills']}>
        {partner.default ? <Pill>{t('account.detail.default')}</Pill> : null}
        {partner.disabled ? <Pill>{t('account.statuses.disabled')}</Pill> : null}
        {partner.oversight ? <Pill dot="var(--teal)">{t('account.fields.oversight')}</Pill> : null}
      </span>
    </li>
  );
};
