import type { Invitation } from '@simcube/contract/identity';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signOut } from '../../../lib/sign-out/index.ts';
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
  const leave = async (): Promise<void> => {
    setSending(true);
    const failed = await signOut();
    if (failed === undefined) return;
    setProblem(failed);
    setSending(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void leave();
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
