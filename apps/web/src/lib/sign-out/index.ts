import { endpoints } from '@simcube/contract';
import { ApiFailure, call, expectSessionEnd, isSessionOver } from '../api-client/index.ts';
import { translate } from '../language/index.ts';
import { session } from '../session/index.ts';

/**
 * Ends the session on the server first, then clears storage (specification, section 7). A session that has already ended counts as
 * signed out. Until the next sign-in, further reports of its end are ignored: the live stream sends one as well.
 * @returns why it failed, as text; undefined if the person is signed out
 */
export const signOut = async (): Promise<string | undefined> => {
  const cancelExpectation = expectSessionEnd();
  try {
    await call(endpoints.identity.signOut, { announce: false });
  } catch (error) {
    if (!(error instanceof ApiFailure && isSessionOver(error))) {
      cancelExpectation();
      return messageOfSignOut(error);
    }
  }
  session.leave();
  return undefined;
};

/** 'signoutCube:' and the server's message; 'Interface exception' if the server sent no response. */
const messageOfSignOut = (error: unknown): string =>
  error instanceof ApiFailure && error.code !== null
    ? translate('errors.client.signOutFailed', { message: error.message })
    : translate('errors.client.interfaceException');
