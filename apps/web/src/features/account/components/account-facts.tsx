import type { Account } from '@simcube/contract/account';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { nameOf, statusTones } from '../account-rules.ts';

export const AccountFacts = ({ account }: { account: Account }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { status, pending_invitation: invitation } = account;
  const signIns = [
    {
      term: t('account.fields.twoFactor'),
      value: account.two_factor ? <Status tone="teal">{t('account.on')}</Status> : t('account.off'),
    },
    { term: t('account.fields.signInCount'), value: count(account.sign_in_count) },
    {
      term: t('account.fields.lastSignIn'),
      value: account.last_sign_in_at ? <Time at={account.last_sign_in_at} /> : t('account.never'),
    },
  ];
  return (
    <Card title={t('account.detail.facts')}>
      <DescriptionList
        items={[
          { term: t('account.fields.name'), value: <strong>{nameOf(account)}</strong> },
          {
            term: t('account.fields.email'),
            value: account.email,
          },
          { term: t('account.fields.role'), value: t(`common.roles.${account.role}`) },
          {
            term: t('account.fields.status'),
            value: <Status tone={statusTones[status]}>{t(`account.statuses.${status}`)}</Status>,
          },
          {
            term: t('account.fields.oversight'),
            value: account.oversight ? <Status tone="teal">{t('account.yes')}</Status> : t('account.no'),
          },
          { term: t('account.fields.language'), value: t(`common.languages.${account.locale}`) },
          ...(invitation
            ? [{ term: t('account.fields.invitationEnds'), value: <Time at={invitation.expires_at} /> }]
            : signIns),
          { term: t('account.fields.created'), value: <Time at={account.created_at} /> },
        ]}
      />
    </Card>
  );
};
