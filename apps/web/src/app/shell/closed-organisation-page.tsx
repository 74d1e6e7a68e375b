import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { type ClosedReason, reopenOrganisation } from '../../lib/closed-organisation/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { session, useSession } from '../../lib/session/index.ts';
import { Icon } from '../icons.tsx';
import styles from './closed-organisation-page.module.css';

/** Replaces a page whose calls are all refused: shows what the organisation requires, with a link to do it. */
export const ClosedOrganisationPage = ({ reason }: { reason: ClosedReason }) => {
  const { t } = useTranslation();
  const router = useRouter();
  const language = useLanguage();
  const userId = useSession('userId') ?? '';
  const organisation = session.currentMembership()?.name ?? t('identity.closed.thisOrganisation');
  const go = (path: string): void => router.history.push(`/${language}/${path}`);
  const retry = <Button onClick={reopenOrganisation}>{t('identity.closed.retry')}</Button>;
  return (
    <section className={styles['page']} aria-labelledby="closed-organisation">
      <span className={styles['picture']}>
        <Icon name={reason === 'twoFactor' ? 'lock' : 'network'} size={26} />
      </span>
      <h1 id="closed-organisation" className={styles['title']}>
        {t(`identity.closed.${reason}Title`, { organisation })}
      </h1>
      <p className={styles['text']}>{t(`identity.closed.${reason}Text`)}</p>
      <div className={styles['actions']}>
        {session.memberships().length > 1 ? (
          <Button onClick={() => go('orgs')}>{t('identity.closed.otherOrganisation')}</Button>
        ) : null}
        {retry}
        {reason === 'twoFactor' ? (
          <Button type="primary" onClick={() => go(`userDetail?id=${userId}&tab=security`)}>
            {t('identity.closed.twoFactorAction')}
          </Button>
        ) : null}
      </div>
    </section>
  );
};
