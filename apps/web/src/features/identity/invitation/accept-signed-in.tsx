import { endpoints } from '@simcube/contract';
import type { Invitation } from '@simcube/contract/identity';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, call, messageOf } from '../../../lib/api-client/index.ts';
import { readMemberships } from '../../../lib/memberships/index.ts';
import { session } from '../../../lib/session/index.ts';
import { AuthCard, FormProblem, Submit, TextButton } from '../fields/index.ts';
import styles from './invitation.module.css';
import { InvitationFacts } from './invitation-facts.tsx';

interface AcceptSignedInProps {
  invitation: Invitation;
  token: string;
  onEnter: () => void;
}

/** For the invited person who is already signed in: a single button. They agreed to the terms when they signed in. */
export const AcceptSignedIn = ({ invitation, token, onEnter }: AcceptSignedInProps) => {
  const { t } = useTranslation();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [acceptedCode, setAcceptedCode] = useState<string | null>(null);
  const accept = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      const body = { token, agreement: true };
      const { data } = await call(endpoints.identity.acceptInvitation, { body, announce: false });
      // The invitation is accepted even if the list can't be read now: the next sign-in loads it.
      await readMemberships().catch(() => undefined);
      setAcceptedCode(data.code);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setProblem(messageOf(error));
    } finally {
      setSending(false);
    }
  };
  if (acceptedCode !== null) {
    return <Accepted organisation={invitation.organisation} code={acceptedCode} onEnter={onEnter} />;
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void accept();
  };
  return (
    <AuthCard
      title={t('identity.invitation.title')}
      subtitle={t('identity.invitation.signedIn')}
      onSubmit={submit}
      busy={sending}
    >
      <InvitationFacts invitation={invitation} />
      <FormProblem>{problem}</FormProblem>
      <Submit sending={sending}>
        {t(sending ? 'identity.invitation.accepting' : 'identity.invitation.accept')}
      </Submit>
    </AuthCard>
  );
};

interface AcceptedProps {
  organisation: string;
  code: string;
  onEnter: () => void;
}

const Accepted = ({ organisation, code, onEnter }: AcceptedProps) => {
  const { t } = useTranslation();
  const joined = session.memberships().find((membership) => membership.code === code);
  const current = session.currentMembership();
  const open = (event: FormEvent): void => {
    event.preventDefault();
    if (joined) session.chooseOrganisation(joined);
    onEnter();
  };
  return (
    <AuthCard arrival title={t('identity.invitation.acceptedTitle', { organisation })} onSubmit={open}>
      <p className={styles['text']}>{t('identity.invitation.acceptedText')}</p>
      <Submit sending={false}>{t('identity.invitation.open', { organisation })}</Submit>
      {current && current.code !== code ? (
        <TextButton onClick={onEnter}>{t('identity.invitation.later')}</TextButton>
      ) : null}
    </AuthCard>
  );
};
