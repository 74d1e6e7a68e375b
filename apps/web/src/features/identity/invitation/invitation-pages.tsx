import { endpoints } from '@simcube/contract';
import type { Invitation } from '@simcube/contract/identity';
import { useTranslation } from 'react-i18next';
import { call, messageOf } from '../../../lib/api-client/index.ts';
import { session, useSession } from '../../../lib/session/index.ts';
import { AuthCard, FormProblem, TextButton } from '../fields/index.ts';
import { enter, SignInForm } from '../sign-in/index.ts';
import { AcceptSignedIn } from './accept-signed-in.tsx';
import { InvitationFacts } from './invitation-facts.tsx';
import type { InvitationPagesProps } from './invitation-pages-props.ts';
import { NewPersonForm } from './new-person-form.tsx';
import { OtherPerson } from './other-person.tsx';
import { useInvitation } from './use-invitation.ts';

/** Opened by the link in an invitation email. */
export const InvitationPages = (props: InvitationPagesProps) => {
  const { t } = useTranslation();
  const { state, retry } = useInvitation(props.token);
  const back = (
    <TextButton
      onClick={() => (session.tokenState() === 'present' ? props.onEnter() : props.onSignIn('', null))}
    >
      {t('identity.login.backToSignIn')}
    </TextButton>
  );
  switch (state.kind) {
    case 'loading':
      return <AuthCard title={t('identity.invitation.title')} subtitle={t('identity.invitation.loading')} />;
    case 'invalid':
      return (
        <AuthCard
          arrival
          title={t('identity.invitation.invalidTitle')}
          subtitle={t('identity.invitation.invalidText')}
        >
          {back}
        </AuthCard>
      );
    case 'failed':
      return (
        <AuthCard title={t('identity.invitation.failedTitle')}>
          <FormProblem>{messageOf(state.failure)}</FormProblem>
          <TextButton wide onClick={retry}>
            {t('common.actions.retry')}
          </TextButton>
          {back}
        </AuthCard>
      );
    case 'open':
      return <OpenInvitation {...props} invitation={state.invitation} />;
  }
};

const OpenInvitation = ({
  invitation,
  token,
  onEnter,
  onForgot,
  onSignIn,
}: InvitationPagesProps & { invitation: Invitation }) => {
  const { t } = useTranslation();
  const here = useSession('userEmail');
  const signedIn = useSession('token') !== null;
  const facts = <InvitationFacts invitation={invitation} />;
  if (signedIn && here !== null) {
    return here.toLowerCase() === invitation.email.toLowerCase() ? (
      <AcceptSignedIn invitation={invitation} token={token} onEnter={onEnter} onSignIn={onSignIn} />
    ) : (
      <OtherPerson here={here} invitation={invitation} onStay={onEnter} />
    );
  }
  if (!invitation.known) {
    return <NewPersonForm invitation={invitation} token={token} onEnter={onEnter} onSignIn={onSignIn} />;
  }
  return (
    <SignInForm
      fixed
      email={invitation.email}
      title={t('identity.invitation.title')}
      subtitle={t('identity.invitation.knownPerson')}
      action={t('identity.invitation.acceptNew')}
      signIn={async ({ password, code, agreement }) => {
        const body = { token, password, agreement, ...(code === undefined ? {} : { code }) };
        enter((await call(endpoints.identity.signInInvited, { body, announce: false })).data);
      }}
      onSignedIn={onEnter}
      onForgot={onForgot}
    >
      {facts}
    </SignInForm>
  );
};
