import { endpoints } from '@simcube/contract';
import { useRouter } from '@tanstack/react-router';
import { ApiFailure, call } from '../../lib/api-client/index.ts';
import { currentLanguage, translate } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { toast } from '../../lib/toast/index.ts';

/** Ends the session on the server first, then clears storage and shows the login page (specification, section 7). */
export const useSignOut = (): (() => Promise<void>) => {
  const router = useRouter();
  return async () => {
    try {
      await call(endpoints.identity.signOut, { announce: false });
    } catch (error) {
      toast.error(messageOfSignOut(error));
      return;
    }
    session.leave();
    router.history.replace(`/${currentLanguage()}/login`, undefined, { ignoreBlocker: true });
  };
};

/** 'signoutCube:' and the server's message; 'Interface exception' if the server sent no response. */
const messageOfSignOut = (error: unknown): string =>
  error instanceof ApiFailure && error.code !== null
    ? translate('errors.client.signOutFailed', { message: error.message })
    : translate('errors.client.interfaceException');
