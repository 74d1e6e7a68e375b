import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, preferredLanguage, useOpenInLanguage } from '../../lib/language/index.ts';
import { currentMailLink, discardMailLink, useMailLink } from '../../lib/mail-link/index.ts';
import { PublicFrame } from '../public/index.ts';
import { ForgotForm } from './forgot/index.ts';
import { InvitationPages } from './invitation/index.ts';
import { ResetForm } from './reset/index.ts';
import { SignInForm } from './sign-in/index.ts';

interface Place {
  page: 'signIn' | 'forgot';
  email: string;
  notice: string | null;
}

/** Sign-in, forgotten password, and the pages that links in our emails open. */
export const LoginScreen = () => {
  const { t } = useTranslation();
  const router = useRouter();
  const link = useMailLink();
  const openIn = useOpenInLanguage();
  const [place, setPlace] = useState<Place>(() => ({
    page: 'signIn',
    email: '',
    notice: router.state.location.state.signInAgain ? t('identity.login.again') : null,
  }));

  const go = (next: Partial<Place>): void => {
    discardMailLink();
    setPlace({ page: 'signIn', email: '', notice: null, ...next });
  };
  // This route's own guard knows where to continue: the stored address, the last menu entry, or the root.
  const enter = async (): Promise<void> => {
    discardMailLink();
    const language = preferredLanguage();
    if (language === currentLanguage() || !(await openIn(language))) await router.invalidate();
  };
  const forgot = (email: string): void => go({ page: 'forgot', email });
  useFollowOtherTabs();

  const page = (() => {
    if (link?.kind === 'invitation') {
      return (
        <InvitationPages
          key={link.token}
          token={link.token}
          onEnter={() => void enter()}
          onForgot={forgot}
          onSignIn={(email, notice) => go({ email, notice })}
        />
      );
    }
    if (link?.kind === 'reset') {
      const { token, email } = link;
      return (
        <ResetForm
          key={token}
          token={token}
          email={email}
          onDone={() => go({ email, notice: t('identity.reset.done') })}
          onAgain={() => forgot(email)}
          onBack={() => go({ email })}
        />
      );
    }
    if (place.page === 'forgot') return <ForgotForm email={place.email} onBack={(email) => go({ email })} />;
    return (
      <SignInForm
        email={place.email}
        notice={place.notice}
        onSignedIn={() => void enter()}
        onForgot={forgot}
      />
    );
  })();
  return <PublicFrame>{page}</PublicFrame>;
};

/** Follows a sign-in in another tab: the route guard decides where to continue. Not with a link from an email, which a reload would lose. */
const useFollowOtherTabs = (): void => {
  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent): void => {
      if (key === 'token' && newValue !== null && currentMailLink() === null) window.location.reload();
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
};
