import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { endSession, setSessionNavigation } from '../api-client/index.ts';
import { session } from '../session/index.ts';
import { signOut } from './index.ts';

const gateway = stubGateway();
const signOutCall = 'POST /identity/sso/signin/signout/cube';
const went: string[] = [];
const note = (move: string) => () => void went.push(move);

beforeEach(() => {
  went.length = 0;
  setSessionNavigation({
    confirmReturnToLogin: async () => note('confirm')(),
    currentUrl: () => '/en-US/simCard',
    toLogin: note('login'),
    toUnauthorised: note('401'),
    toOrganisations: note('orgs'),
    reload: note('reload'),
  });
  signedInAs('admin');
});

test('a sign-out is not reported as the end of the session by the live stream', async () => {
  gateway.respond(signOutCall, () => {
    endSession();
    return success(null);
  });
  expect(await signOut()).toBeUndefined();
  expect(session.tokenState()).toBe('none');
  expect(went).toEqual([]);
});

test('a session that has already ended counts as signed out', async () => {
  gateway.respond(signOutCall, () => errorResponse({ http: 401, code: 'CB-00-0401' }));
  expect(await signOut()).toBeUndefined();
  expect(session.tokenState()).toBe('none');
  expect(went).toEqual([]);
});

test('a failed sign-out keeps the session, and its end is reported again', async () => {
  expect(await signOut()).toBe('Interface exception');
  expect(session.tokenState()).toBe('present');
  endSession();
  expect(went).toEqual(['confirm']);
});
