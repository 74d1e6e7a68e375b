import type { Invitation } from '@simcube/contract/identity';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../lib/language/index.ts';
import { instants, useTimeDisplay } from '../../../lib/time/index.ts';
import styles from './invitation.module.css';

/** The organisation, who invites, the role, and the expiry. */
export const InvitationFacts = ({ invitation }: { invitation: Invitation }) => {
  const { t } = useTranslation();
  const { format } = instants(useLanguage(), useTimeDisplay());
  const { organisation, inviter, role, email, expires_at: expires } = invitation;
  const facts = [
    [t('identity.invitation.organisation'), <strong key="name">{organisation}</strong>],
    [t('identity.invitation.inviter'), inviter],
    [t('identity.invitation.role'), t(`common.roles.${role}`)],
    [t('identity.invitation.address'), email],
    [
      t('identity.invitation.expires'),
      <time key="time" dateTime={expires} title={format(expires, 'exact')}>
        {format(expires, 'date')}
      </time>,
    ],
  ] as const;
  return (
    <dl className={styles['facts']}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
