import { endpoints, languages } from '@simcube/contract';
import { type Profile, profileBodySchema } from '@simcube/contract/identity';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/api-client/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import { currentLanguage, useOpenInLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';
import { Card } from '../../ui/card/index.ts';
import { DescriptionList } from '../../ui/description-list/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Form, FormField } from '../../ui/form/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Select } from '../../ui/select/index.ts';
import { Status } from '../../ui/status/index.ts';
import { Time } from '../../ui/time/index.ts';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import styles from './profile.module.css';
import { useProfile } from './use-profile.ts';

/** The person's own name and language, and details about signing in. */
export const ProfilePanel = () => {
  const { data, error, refetch } = useProfile();
  if (error && !data) {
    return (
      <Card>
        <Failure error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <div className={styles['pair']}>
      <PersonCard profile={data?.data} />
      <SignInCard profile={data?.data} />
    </div>
  );
};

const PersonCard = ({ profile }: { profile: Profile | undefined }) => {
  const { t } = useTranslation();
  const openIn = useOpenInLanguage();
  const queries = useQueryClient();
  const save = async (body: Pick<Profile, 'first_name' | 'last_name' | 'language'>): Promise<void> => {
    const response = await call(endpoints.identity.updateProfile, { body, announce: false });
    queries.setQueryData([endpoints.identity.getProfile.id, {}], response);
    session.set('username', fullName(response.data));
    toast.success(t('identity.profile.saved'));
    const { language } = response.data;
    if (language === profile?.language) return;
    // From now on the account's language applies in this browser, too.
    session.remove('chosenLang');
    session.set('lang', language);
    if (language !== currentLanguage()) void openIn(language);
  };
  return (
    <Card title={t('identity.profile.person')}>
      {profile ? (
        <Form
          action={t('identity.profile.save')}
          initial={{
            first_name: profile.first_name,
            last_name: profile.last_name,
            language: profile.language,
          }}
          onSubmit={save}
          schema={profileBodySchema}
        >
          <div className={styles['names']}>
            <FormField label={t('identity.profile.firstName')} name="first_name">
              <Input autoComplete="given-name" />
            </FormField>
            <FormField label={t('identity.profile.lastName')} name="last_name">
              <Input autoComplete="family-name" />
            </FormField>
          </div>
          <FormField
            hint={t('identity.profile.languageHint')}
            label={t('identity.profile.language')}
            name="language"
          >
            <Select options={languages.map((one) => ({ value: one, label: t(`common.languages.${one}`) }))} />
          </FormField>
        </Form>
      ) : (
        <Loading rows={4} />
      )}
    </Card>
  );
};

/** In the server's format. */
const fullName = ({ first_name: first, last_name: last }: Profile): string => `${first} ${last}`.trim();

const SignInCard = ({ profile }: { profile: Profile | undefined }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const [changing, setChanging] = useState(false);
  return (
    <Card title={t('identity.profile.signIn')}>
      {profile ? (
        <DescriptionList
          items={[
            { term: t('identity.profile.email'), value: profile.email },
            {
              term: t('identity.profile.twoFactor'),
              value: profile.two_factor.enabled ? (
                <Status tone="teal">{t('identity.twoFactor.on')}</Status>
              ) : (
                <Status tone="grey">{t('identity.twoFactor.off')}</Status>
              ),
            },
            { term: t('identity.profile.lastSignIn'), value: <Time at={profile.last_sign_in_at} /> },
            { term: t('identity.profile.signInCount'), value: count(profile.sign_in_count) },
            { term: t('identity.profile.created'), value: <Time at={profile.created_at} style="date" /> },
          ]}
        />
      ) : (
        <Loading rows={4} />
      )}
      <div className={styles['below']}>
        <Button onClick={() => setChanging(true)}>{t('identity.profile.changePassword')}</Button>
      </div>
      <ChangePasswordDialog open={changing} onClose={() => setChanging(false)} />
    </Card>
  );
};
