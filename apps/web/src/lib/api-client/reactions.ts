import { errors } from '@simcube/contract';
import { type ClosedReason, closeOrganisation, reopenOrganisation } from '../closed-organisation/index.ts';
import { translate } from '../language/index.ts';
import { session } from '../session/index.ts';
import { toast } from '../toast/index.ts';
import type { ApiFailure } from './api-failure.ts';
import { reportError } from './report.ts';

/** How the console moves when a session turns out to be over. The app's router provides it. */
export interface SessionMoves {
  /** Asks to return to login, and resolves when the person has agreed. */
  confirmReturnToLogin: () => Promise<void>;
  /** Path and query to come back to after signing in. */
  currentUrl: () => string;
  toLogin: () => void;
  toUnauthorised: () => void;
  toOrganisations: () => void;
  reload: () => void;
}

let moves: SessionMoves | null = null;
/** Several calls are under way when a session breaks; only the first to fail moves the console. */
let unauthorisedHandled = false;
let sessionEndedHandled = false;

export const setSessionMoves = (next: SessionMoves): void => {
  moves = next;
  forgetHandledFailures();
};

/** After a sign-in the first failure counts as the first again, and no organisation is closed yet. */
export const forgetHandledFailures = (): void => {
  unauthorisedHandled = false;
  sessionEndedHandled = false;
  reopenOrganisation();
};

/**
 * The person is about to end their own session (a new password ends all of them): the stream and calls under way that
 * learn of it are no news. @returns takes it back when it did not come to that; the next sign-in does too
 */
export const expectSessionEnd = (): (() => void) => {
  unauthorisedHandled = true;
  sessionEndedHandled = true;
  return forgetHandledFailures;
};

const sessionEndedResult = errors['CB-00-0502'].result;
const closedReasons: Readonly<Record<string, ClosedReason>> = {
  'CB-07-0024': 'twoFactor',
  'CB-07-0026': 'network',
};
/** A missing write permission on autoflow is named by the server in the text (specification, section 6). */
const autoflowResourceMissing = /authori[sz]ed resource .*auto[ _-]?flow.* does not exist/i;

interface Reaction {
  /** Show a toast for what has one. */
  announce: boolean;
  /** What the call was signed with. */
  token: string | null;
}

/** The generic handling of the specification (section 8). */
export const reactTo = (failure: ApiFailure, { announce, token }: Reaction): void => {
  if (failure.http === 500) reportError(failure, 'server error');
  const now = session.get('token');
  // The end of a session that another has followed, perhaps another person's, says nothing about that one.
  if (now !== null && now !== token && endsSession(failure)) return;
  if (reactToSession(failure)) return;
  if (announce) toast.error(messageOf(failure), noteOf(failure));
};

/** What to tell the person; forms and lists that show a failure in place use it too. */
export const messageOf = (failure: ApiFailure): string => {
  if (failure.http === 0) return translate('errors.client.networkError');
  // Refusals that the catalogue has words of its own for say them.
  if (failure.http === 403 && (failure.code === null || failure.code === 'CB-00-0403')) {
    return translate('errors.permissionDenied');
  }
  if (failure.http === 400 && autoflowResourceMissing.test(failure.message)) {
    return translate('errors.client.noAutoflowPermission');
  }
  return failure.message;
};

const noteOf = (failure: ApiFailure): string | null =>
  failure.traceId !== null && failure.http >= 500
    ? translate('common.trace', { traceId: failure.traceId })
    : null;

const endsSession = ({ http, code, resultCode }: ApiFailure): boolean =>
  http === 401 || code === 'CB-99-9401' || resultCode === sessionEndedResult;

/** True when the failure is about the session as a whole and has been dealt with. */
const reactToSession = (failure: ApiFailure): boolean => {
  if (failure.resultCode === sessionEndedResult) {
    endSession();
    return true;
  }
  if (failure.code === 'CB-99-9401') {
    if (!unauthorisedHandled) leaveToLogin();
    return true;
  }
  if (failure.http === 401 && session.tokenState() === 'present') {
    if (!unauthorisedHandled) leaveUnauthorised();
    return true;
  }
  if (failure.code === 'CB-07-0008') {
    session.remove('partnerCode', 'tenantId');
    moves?.toOrganisations();
    return false;
  }
  const closed = closedReasons[failure.code ?? ''];
  if (closed !== undefined) {
    closeOrganisation(closed);
    return true;
  }
  return unauthorisedHandled && failure.http === 401;
};

const leaveToLogin = (): void => {
  unauthorisedHandled = true;
  session.set('redirectUrl', moves?.currentUrl() ?? '/');
  session.remove('token');
  moves?.toLogin();
};

/** Clears what was stored about the person; the way back is kept, so that signing in returns to it. */
const leaveUnauthorised = (): void => {
  unauthorisedHandled = true;
  const url = moves?.currentUrl() ?? '/';
  session.clear();
  session.set('redirectUrl', url);
  moves?.toUnauthorised();
};

/** Result 0502: token, navigation, history, enterprise, user and name entries are cleared, then a fresh start. */
export const endSession = (): void => {
  if (sessionEndedHandled) return;
  sessionEndedHandled = true;
  void (moves?.confirmReturnToLogin() ?? Promise.resolve()).then(() => {
    session.clear();
    moves?.reload();
  });
};
