import { endpoints } from '@simcube/contract';
import type { Invitation } from '@simcube/contract/identity';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ApiFailure,
  call,
  expectSessionEnd,
  isSessionOver,
  messageOf,
} from '../../../lib/api-client/index.ts';
import { findMembership, readMemberships } from '../../../lib/memberships/index.ts';
import { session } from '../../../lib/session/index.ts';
import { AuthCard, FormProblem, Submit, TextButton } from '../fields/index.ts';
import styles from './invitation.module.css';
import { InvitationFacts } from './invitation-facts.tsx';

interface AcceptSignedInProps {
  invitation: Invitation;
  token: string;
  onEnter: () => void;
  onSignIn: (email: string, notice: string | null) => void;
}

/** For the invited person who is already signed in: a single button. They agreed to the terms when they signed in. */
export const AcceptSignedIn = ({ invitation, token, onEnter, onSignIn }: AcceptSignedInProps) => {
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
      if (await stillSignedIn()) {
        setAcceptedCode(data.code);
      } else {
        onSignIn(invitation.email, t('identity.invitation.acceptedSignIn'));
        session.leave();
      }
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

/**
 * Reads the person's organisations again. An acceptance needs no session, so this call may find that the stored one is over; any
 * other failure is ignored: the next sign-in loads the list.
 */
const stillSignedIn = async (): Promise<boolean> => {
  const backToNormal = expectSessionEnd();
  try {
    await readMemberships();
    return true;
  } catch (error) {
    return !(error instanceof ApiFailure && isSessionOver(error));
  } finally {
    backToNormal();
  }
};

interface AcceptedProps {
  organisation: string;
  code: string;
  onEnter: () => void;
}

const Accepted = ({ organisation, code, onEnter }: AcceptedProps) => {
  const { t } = useTranslation();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const current = session.currentMembership();
  const open = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      // The list is missing it if it could not be read after the acceptance, or if it is too long.
      const listed = session.memberships().find((membership) => membership.code === code);
      const joined = listed ?? (await findMembership(code));
      if (joined) session.chooseOrganisation(joined);
      onEnter();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setProblem(messageOf(error));
    } finally {
      setSending(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void open();
  };
  return (
    <AuthCard
      arrival
      title={t('identity.invitation.acceptedTitle', { organisation })}
      onSubmit={submit}
      busy={sending}
    >
      <p className={styles['text']}>{t('identity.invitation.acceptedText')}</p>
      <FormProblem>{problem}</FormProblem>
      <Submit sending={sending}>{t('identity.invitation.open', { organisation })}</Submit>
      {current && current.code !== code ? (
        <TextButton onClick={onEnter}>{t('identity.invitation.later')}</TextButton>
      ) : null}
    </AuthCard>
  );
};
