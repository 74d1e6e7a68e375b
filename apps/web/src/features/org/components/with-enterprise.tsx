import type { Enterprise } from '@simcube/contract/org';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useSession } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useEnterprise } from '../api.ts';
import styles from './with-enterprise.module.css';

interface WithEnterpriseProps {
  /** Set for an organisation other than the current one. */
  code: string | undefined;
  tab: 'organisation' | 'security';
  children: (enterprise: Enterprise) => ReactNode;
}

/** Loads an organisation with its settings, and says so if it is not the current one. */
export const WithEnterprise = ({ code, tab, children }: WithEnterpriseProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const current = useSession('partnerCode') ?? '';
  const { data, error, refetch } = useEnterprise(code ?? current);
  if (!data) {
    return (
      <Card>{error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading rows={7} />}</Card>
    );
  }
  const isOther = data.data.code !== current;
  return (
    <div className={styles['panel']}>
      {isOther ? (
        <p className={styles['other']}>
          {t('org.settings.other', { name: data.data.name })}{' '}
          <Link href={`/${language}/setCard?tab=${tab}`}>{t('org.settings.backOwn')}</Link>
        </p>
      ) : null}
      {children(data.data)}
    </div>
  );
};
