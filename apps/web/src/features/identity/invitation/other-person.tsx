import { endpoints } from '@simcube/contract';
import type { Invitation } from '@simcube/contract/identity';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, call } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { AuthCard, FormProblem, Submit, TextButton } from '../fields/index.ts';
import styles from './invitation.module.css';
import { InvitationFacts } from './invitation-facts.tsx';

interface OtherPersonProps {
  /** The person signed in in this browser. */
  here: string;
  invitation: Invitation;
  onStay: () => void;
}

/** The invitation is for a person other than the one signed in: it is not accepted silently. */
export const OtherPerson = ({ here, invitation, onStay }: OtherPersonProps) => {
  const { t } = useTranslation();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signOut = async (): Promise<void> => {
    setSending(true);
    try {
      await call(endpoints.identity.signOut, { announce: false });
      session.leave();
    } catch (error) {
      // A session that has already ended counts as signed out.
      const ended = error instanceof ApiFailure && (error.http === 401 || error.resultCode === '0502');
      if (ended) session.leave();
      else {
        setProblem(
          error instanceof ApiFailure && error.code !== null
            ? t('errors.client.signOutFailed', { message: error.message })
            : t('errors.client.interfaceException'),
        );
        setSending(false);
      }
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void signOut();
  };
  return (
    <AuthCard
      title={t('identity.invitation.title')}
      subtitle={t('identity.invitation.otherPerson', { email: here, invited: invitation.email })}
      onSubmit={submit}
      busy={sending}
    >
      <InvitationFacts invitation={invitation} />
      <p className={styles['text']}>{t('identity.invitation.otherPersonHint')}</p>
      <FormProblem>{problem}</FormProblem>
      <Submit sending={sending}>{t('identity.invitation.signOutFirst')}</Submit>
      <TextButton wide onClick={onStay}>
        {t('identity.invitation.stay', { email: here })}
      </TextButton>
    </AuthCard>
  );
};
