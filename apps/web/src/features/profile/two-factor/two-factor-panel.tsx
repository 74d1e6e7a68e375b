import { endpoints } from '@simcube/contract';
import type { Profile } from '@simcube/contract/identity';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { reopenOrganisation } from '../../../lib/closed-organisation/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { useProfile } from '../use-profile.ts';
import { DisableDialog } from './disable-dialog.tsx';
import { EnableDialog } from './enable-dialog.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import styles from './two-factor.module.css';

/** With this number of recovery codes or fewer, it is time for new ones. */
const lowCodeCount = 3;

/** Two-factor authentication: enable, disable, and renew the recovery codes. */
export const TwoFactorPanel = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = useProfile();
  return (
    <Card title={t('identity.twoFactor.title')} aside={data ? <TwoFactorState profile={data.data} /> : null}>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Content profile={data.data} /> : null}
      {data || error ? null : <Loading rows={2} />}
    </Card>
  );
};

const TwoFactorState = ({ profile }: { profile: Profile }) => {
  const { t } = useTranslation();
  const { enabled } = profile.two_factor;
  return (
    <>
      <Pill tone={enabled ? 'good' : 'plain'}>
        <Status tone={enabled ? 'teal' : 'grey'}>{t(`identity.twoFactor.${enabled ? 'on' : 'off'}`)}</Status>
      </Pill>
      {profile.two_factor_required && !enabled ? (
        <Pill tone="warning" dot="var(--orange)">
          {t('identity.twoFactor.required')}
        </Pill>
      ) : null}
    </>
  );
};

const Content = ({ profile }: { profile: Profile }) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'enable' | 'disable' | 'renew' | null>(null);
  const { enabled, recovery_codes_left: codesLeft } = profile.two_factor;
  const close = (): void => setOpen(null);
  const refetchProfile = (): void =>
    void queries.invalidateQueries({ queryKey: [endpoints.identity.getProfile.id] });
  const handleChange = (state: 'enabled' | 'disabled'): void => {
    toast.success(t(`identity.twoFactor.${state}`));
    // An organisation that requires it becomes accessible now; everything it refused is refetched.
    if (state === 'enabled') reopenOrganisation();
    void queries.invalidateQueries();
  };
  return (
    <>
      <p className={styles['text']}>{t(`identity.twoFactor.${enabled ? 'textOn' : 'textOff'}`)}</p>
      {enabled ? (
        <p className={styles['left']} data-few={codesLeft <= lowCodeCount}>
          {t('identity.twoFactor.codesLeft', { count: codesLeft })}
          {codesLeft <= lowCodeCount ? ` · ${t('identity.twoFactor.codesLow')}` : null}
        </p>
      ) : null}
      <div className={styles['buttons']}>
        {enabled ? (
          <>
            <Button onClick={() => setOpen('renew')}>{t('identity.twoFactor.renew')}</Button>
            <Button danger onClick={() => setOpen('disable')}>
              {t('identity.twoFactor.disable')}
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpen('enable')} type="primary">
            {t('identity.twoFactor.enable')}
          </Button>
        )}
      </div>
      <EnableDialog
        email={profile.email}
        open={open === 'enable'}
        onClose={close}
        onEnabled={() => handleChange('enabled')}
      />
      <DisableDialog
        open={open === 'disable'}
        required={profile.two_factor_required}
        onClose={close}
        onDisabled={() => handleChange('disabled')}
      />
      <RenewDialog email={profile.email} open={open === 'renew'} onClose={close} onRenewed={refetchProfile} />
    </>
  );
};
