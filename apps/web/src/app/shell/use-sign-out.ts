import { endpoints } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { ApiFailure, call } from '../../lib/api-client/index.ts';
import { currentLanguage, translate } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';

/** Ends the session on the server; only then is storage cleared and the login page shown (specification, section 7). */
export const useSignOut = (): (() => Promise<void>) => {
  const router = useRouter();
  return async () => {
    try {
      await call(endpoints.identity.signOut, { announce: false });
    } catch (error) {
      toast.error(messageOfSignOut(error));
      return;
    }
    session.clear();
    // Left by the person's own wish, it is not come back to.
    session.remove('workedIn');
    router.history.replace(`/${currentLanguage()}/login`, undefined, { ignoreBlocker: true });
  };
};

/** 'signoutCube:' and the server's message; 'Interface exception' when no answer of ours came. */
const messageOfSignOut = (error: unknown): string =>
  error instanceof ApiFailure && error.code !== null
    ? translate('errors.client.signOutFailed', { message: error.message })
    : translate('errors.client.interfaceException');
