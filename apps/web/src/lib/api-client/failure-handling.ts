import { errors, type PermissionKey } from '@simcube/contract';
import { type ClosedReason, closeOrganisation, reopenOrganisation } from '../closed-organisation/index.ts';
import { translate } from '../language/index.ts';
import { session } from '../session/index.ts';
import { toast } from '../toast/index.ts';
import type { ApiFailure } from './api-failure.ts';
import { reportError } from './report.ts';

/** Navigation when a session has ended; provided by the app's router. */
export interface SessionNavigation {
  /** Asks the person to return to login; resolves when they confirm. */
  confirmReturnToLogin: () => Promise<void>;
  /** Path and query to return to after signing in. */
  currentUrl: () => string;
  toLogin: () => void;
  toUnauthorised: () => void;
  toOrganisations: () => void;
  reload: () => void;
}

let navigation: SessionNavigation | null = null;
/** Several calls may be running when a session ends; only the first failure navigates. */
let unauthorisedHandled = false;
let sessionEndedHandled = false;

export const setSessionNavigation = (next: SessionNavigation): void => {
  navigation = next;
  forgetHandledFailures();
};

/** After a sign-in, the next failure counts as the first again, and no organisation is closed yet. */
export const forgetHandledFailures = (): void => {
  forgetSessionEnd();
  reopenOrganisation();
};

const forgetSessionEnd = (): void => {
  unauthorisedHandled = false;
  sessionEndedHandled = false;
};

/**
 * Call before the person ends their own session (a new password ends all of them), so that the failures of the stream and of
 * running calls are ignored. @returns a function that undoes this if the session did not end; the next sign-in does so too
 */
export const expectSessionEnd = (): (() => void) => {
  unauthorisedHandled = true;
  sessionEndedHandled = true;
  return forgetSessionEnd;
};

const sessionEndedResult = errors['CB-00-0502'].result;
/** The person is not, or no longer, a member of the organisation. */
const notMember = 'CB-07-0008';
const closedReasons: Readonly<Record<string, ClosedReason>> = {
  'CB-07-0024': 'twoFactor',
  'CB-07-0026': 'network',
};
/** The resource that a refusal names (specification, section 6), by its code. */
const missingResources: Readonly<Record<string, PermissionKey>> = { 'CB-05-0001': 'autoflow-cube' };

interface FailureHandling {
  /** Show a toast for failures that have a message. */
  announce: boolean;
  /** The failed call was to remove something: its code is shown (specification, section 8). */
  removes?: boolean;
  /** The token that the call was sent with. */
  token: string | null;
  /** Code of the organisation that the call was sent for. */
  organisation: string | null;
}

/** Generic handling of failures (specification, section 8). */
export const handleFailure = (
  failure: ApiFailure,
  { announce, removes = false, token, organisation }: FailureHandling,
): void => {
  if (failure.http === 500) reportError(failure, 'server error');
  const currentToken = session.get('token');
  // The failed session was replaced by a newer one, perhaps of another person: its end does not affect that one.
  if (currentToken !== null && currentToken !== token && isSessionOver(failure)) return;
  // Another organisation was chosen in the meantime: it may still be open to the person.
  if (failure.code === notMember && session.get('partnerCode') !== organisation) return;
  if (handleSessionFailure(failure)) return;
  if (announce) toast.error(messageOf(failure), noteOf(failure) ?? (removes ? failure.code : null));
};

/** The message to show; also used by forms and lists that show a failure in place. */
export const messageOf = (failure: ApiFailure): string => {
  if (failure.http === 0) return translate('errors.client.networkError');
  // Refusals with a message of their own in the catalogue show that instead.
  if (failure.http === 403 && (failure.code === null || failure.code === 'CB-00-0403')) {
    return translate('errors.permissionDenied');
  }
  if (missingResourceOf(failure) !== null) return translate('errors.client.noAutoflowPermission');
  return failure.message;
};

/** Why something was not done, and what to do next: shown in place, next to what the person entered. */
export const explanationOf = (failure: ApiFailure): string =>
  failure.http === 0
    ? translate('errors.client.outcomeUnknown', { message: messageOf(failure) })
    : [messageOf(failure), noteOf(failure)].filter(Boolean).join(' ');

/** Shows a failure as a toast after all, because the place that would have shown it is gone. */
export const announceFailure = (failure: ApiFailure): void => {
  if (!isSessionOver(failure)) toast.error(explanationOf(failure));
};

/** Which permission is missing, if the failure names one. */
export const missingResourceOf = ({ code }: ApiFailure): string | null => {
  const resource = missingResources[code ?? ''];
  return resource === undefined ? null : translate('errors.client.missingResource', { resource });
};

/** A failure of the server says what else may help, and what to quote. */
const noteOf = (failure: ApiFailure): string | null => {
  if (failure.http < 500) return missingResourceOf(failure);
  const quote = quoteOf(failure);
  return failure.http === 500 ? joined([translate('errors.client.signInAgain'), quote], ' ') : quote;
};

/** What to quote to support: the code and the trace id; null without both. */
export const quoteOf = ({ code, traceId }: ApiFailure): string | null =>
  joined([code, traceId === null ? null : translate('common.trace', { traceId })], ' · ');

const joined = (parts: readonly (string | null)[], separator: string): string | null =>
  parts.filter((part) => part !== null).join(separator) || null;

/** The session that the call was sent with has ended. */
export const isSessionOver = ({ http, code, resultCode }: ApiFailure): boolean =>
  http === 401 || code === 'CB-99-9401' || resultCode === sessionEndedResult;

/** True if the failure concerns the session as a whole and has been handled. */
const handleSessionFailure = (failure: ApiFailure): boolean => {
  if (failure.resultCode === sessionEndedResult) {
    endSession();
    return true;
  }
  if (failure.code === 'CB-99-9401') {
    if (!unauthorisedHandled) redirectToLogin();
    return true;
  }
  if (failure.http === 401 && session.tokenState() === 'present') {
    if (!unauthorisedHandled) redirectToUnauthorised();
    return true;
  }
  if (failure.code === notMember) {
    session.remove('partnerCode', 'tenantId');
    navigation?.toOrganisations();
    return false;
  }
  const closed = closedReasons[failure.code ?? ''];
  if (closed !== undefined) {
    closeOrganisation(closed);
    return true;
  }
  return unauthorisedHandled && failure.http === 401;
};

const redirectToLogin = (): void => {
  unauthorisedHandled = true;
  session.set('redirectUrl', navigation?.currentUrl() ?? '/');
  session.remove('token');
  navigation?.toLogin();
};

/** Clears stored personal data but keeps the current address, so that signing in returns to it. */
const redirectToUnauthorised = (): void => {
  unauthorisedHandled = true;
  const url = navigation?.currentUrl() ?? '/';
  session.clear();
  session.set('redirectUrl', url);
  navigation?.toUnauthorised();
};

/** Result 0502: clears the entries token, navigation, history, enterprise, user and name, then starts afresh. */
export const endSession = (): void => {
  if (sessionEndedHandled) return;
  sessionEndedHandled = true;
  void (navigation?.confirmReturnToLogin() ?? Promise.resolve()).then(() => {
    session.clear();
    navigation?.reload();
  });
};
