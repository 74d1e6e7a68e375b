import { consoleErrorSchema, consoleErrorsPath, endpoints, headers, limits } from '@simcube/contract';
import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { membershipOf, signedInAs } from '../../testing/people.ts';
import { useClosedOrganisation } from '../closed-organisation/index.ts';
import { activateLanguage } from '../language/index.ts';
import { session } from '../session/index.ts';
import { useToasts } from '../toast/index.ts';
import {
  ApiFailure,
  call,
  expectSessionEnd,
  reportError,
  reporterToServer,
  retryTemporaryFailures,
  type SessionNavigation,
  setErrorReporter,
  setSessionNavigation,
} from './index.ts';

const gateway = stubGateway();
const iccid = '89860012300004518823';
const read = 'GET /cube/sim/basic';
const readSim = () => call(endpoints.sim.basic, { query: { iccid } });

const went: string[] = [];
const moves = (changes: Partial<SessionNavigation> = {}): SessionNavigation => ({
  confirmReturnToLogin: async () => void went.push('confirm'),
  currentUrl: () => '/en-US/simCard?search=truck',
  toLogin: () => void went.push('login'),
  toUnauthorised: () => void went.push('401'),
  toOrganisations: () => void went.push('orgs'),
  reload: () => void went.push('reload'),
  ...changes,
});

const reported: unknown[] = [];
const toasts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text);
const failureOf = async (promise: Promise<unknown>): Promise<ApiFailure> => {
  const failure = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof ApiFailure)) throw new Error(`no ApiFailure: ${String(failure)}`);
  return failure;
};
/** The failure of a call whose response arrives after `meanwhile`. */
const failureAfter = (late: Response, meanwhile: () => void): Promise<ApiFailure> => {
  gateway.respond(read, () => {
    meanwhile();
    return late;
  });
  return failureOf(readSim());
};

beforeEach(() => {
  went.length = 0;
  reported.length = 0;
  setSessionNavigation(moves());
  setErrorReporter((error) => reported.push(error));
  signedInAs('admin');
});

describe('a call', () => {
  test('carries the headers of the specification', async () => {
    await activateLanguage('zh-TW');
    gateway.respond(read, () => success({}));
    await readSim();
    const sent = gateway.sent[0]?.headers;
    expect(sent?.get('authorization')).toBe('Bearer token_0123456789abcdef');
    expect(sent?.get(headers.partnerCode)).toBe('ACME');
    expect(sent?.get(headers.tenantId)).toBe('tenant-ACME');
    expect(sent?.get('accept-language')).toBe('zh-TW');
    expect(Math.abs(Number(sent?.get(headers.timestamp)) - Date.now())).toBeLessThan(60_000);
    expect(sent?.get(headers.timeZone)).toBe('UTC');
  });

  test('without a session carries no empty headers', async () => {
    session.clear();
    gateway.respond(read, () => success({}));
    await readSim();
    for (const name of ['authorization', headers.partnerCode, headers.tenantId]) {
      expect(gateway.sent[0]?.headers.has(name)).toBe(false);
    }
  });

  test('returns the content of the envelope', async () => {
    gateway.respond('POST /cube/sim/list/es', () =>
      success([{ iccid }], {
        total_count: 10_000,
        total_relation: 'gte',
        next_cursor: 'c2',
        as_of: '2026-11-21T14:32:00.000Z',
      }),
    );
    const answer = await call(endpoints.sim.list, { body: { search: 'truck', lifecycle: ['active'] } });
    expect(gateway.sent[0]?.body).toEqual({ search: 'truck', lifecycle: ['active'] });
    expect(answer).toEqual({
      data: [{ iccid }],
      totalCount: 10_000,
      totalRelation: 'gte',
      nextCursor: 'c2',
      asOf: '2026-11-21T14:32:00.000Z',
      traceId: 'trace-ok',
    });
  });

  test('omits undefined values from the query', async () => {
    gateway.respond('GET /customer/orgs', () => success([]));
    await call(endpoints.org.listMine, { query: { page_no: 2, search: undefined, page_size: 20 } });
    expect(gateway.sent[0]?.query.toString()).toBe('page_no=2&page_size=20');
  });

  test('sends its own headers, but not in query or body', async () => {
    gateway.respond('POST /identity/sso/signin/forget/cube/password/send', () => success(null));
    await call(endpoints.identity.sendPasswordReset, { headers: { email: 'ana@acme.example' } });
    const sent = gateway.sent[0];
    expect(sent?.headers.get(headers.email)).toBe('ana@acme.example');
    expect(sent?.query.size).toBe(0);
    expect(sent?.body).toBeNull();
  });

  test('times out after 1,200,000 ms', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    gateway.respond(read, () => success({}));
    await readSim();
    expect(timeout).toHaveBeenCalledWith(1_200_000);
    expect(limits.requestTimeoutMs).toBe(1_200_000);
    timeout.mockRestore();
  });

  test('that its caller aborts shows no error', async () => {
    gateway.respond(read, () => success({}));
    const stop = new AbortController();
    stop.abort();
    const outcome = call(endpoints.sim.basic, { query: { iccid }, signal: stop.signal });
    await expect(outcome).rejects.toHaveProperty('name', 'AbortError');
    expect(toasts()).toEqual([]);
  });
});

describe('generic handling (specification, section 8)', () => {
  test('result 0502: confirm, then the entries are cleared and the page reloads', async () => {
    let agree: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      agree = resolve;
    });
    setSessionNavigation(
      moves({
        confirmReturnToLogin: () => {
          went.push('confirm');
          return asked;
        },
      }),
    );
    gateway.respond(read, () => errorResponse({ http: 200, code: 'CB-00-0502', resultCode: '0502' }));
    session.set('lang', 'en-US');
    session.set('menuState', { collapsed: true, lastMenuKey: 'simCard' });
    session.set('redirectUrl', '/x');
    await Promise.all([failureOf(readSim()), failureOf(readSim())]);
    expect(went).toEqual(['confirm']);
    expect(session.get('token')).not.toBeNull();
    agree();
    await vi.waitFor(() => expect(went).toEqual(['confirm', 'reload']));
    expect(Object.keys(localStorage)).toEqual(['lang']);
    expect(toasts()).toEqual([]);
  });

  test('400, token unauthorised: to login, saving the redirect target, once', async () => {
    let url = '/en-US/simCard?search=truck';
    setSessionNavigation(
      moves({
        currentUrl: () => url,
        toLogin: () => {
          went.push('login');
          url = '/en-US/login';
        },
      }),
    );
    gateway.respond(read, () => errorResponse({ http: 400, code: 'CB-99-9401' }));
    await Promise.all([failureOf(readSim()), failureOf(readSim())]);
    expect(went).toEqual(['login']);
    expect(session.get('redirectUrl')).toBe('/en-US/simCard?search=truck');
    expect(session.get('token')).toBeNull();
    gateway.respond(read, () => errorResponse({ http: 401, code: 'CB-00-0401' }));
    await failureOf(readSim());
    expect(went).toEqual(['login']);
    expect(toasts()).toEqual([]);
  });

  test('400 otherwise: the message of the server, and its issues', async () => {
    const issues = [{ path: 'iccid', key: 'invalidFormat', message: 'The format is not valid' }];
    gateway.respond(read, () => errorResponse({ http: 400, code: 'CB-00-0400', issues }));
    const failure = await failureOf(readSim());
    expect(toasts()).toEqual(['said the server']);
    expect(failure).toMatchObject({
      code: 'CB-00-0400',
      http: 400,
      message: 'said the server',
      issues,
      traceId: 'trace-refused',
    });
  });

  test('401 with a token, first failure: storage is cleared, to the unauthorized page, once', async () => {
    gateway.respond(read, () => errorResponse({ http: 401, code: 'CB-00-0401' }));
    await Promise.all([failureOf(readSim()), failureOf(readSim())]);
    expect(went).toEqual(['401']);
    // The language is a setting of this browser.
    expect(Object.keys(localStorage)).toEqual(['lang']);
    expect(session.get('redirectUrl')).toBe('/en-US/simCard?search=truck');
    expect(toasts()).toEqual([]);
  });

  test.each([
    errorResponse({ http: 401, code: 'CB-00-0401' }),
    errorResponse({ http: 400, code: 'CB-99-9401' }),
    errorResponse({ http: 200, code: 'CB-00-0502', resultCode: '0502' }),
  ])('a late session error does not end the next person’s session', async (late) => {
    await failureAfter(late, () => session.set('token', 'of the next person'));
    expect(went).toEqual([]);
    expect(toasts()).toEqual([]);
    expect(session.get('token')).toBe('of the next person');
  });

  test('401 without a token: the message', async () => {
    session.clear();
    gateway.respond(read, () => errorResponse({ http: 401, code: 'CB-00-0401' }));
    await failureOf(readSim());
    expect(went).toEqual([]);
    expect(toasts()).toEqual(['said the server']);
  });

  test('403: Permission denied', async () => {
    gateway.respond(read, () => errorResponse({ http: 403, code: 'CB-00-0403' }));
    await failureOf(readSim());
    expect(toasts()).toEqual(['Permission denied']);
  });

  test('403 because the person is not, or no longer, a member of the organisation: choose another one', async () => {
    gateway.respond(read, () => errorResponse({ http: 403, code: 'CB-07-0008' }));
    await failureOf(readSim());
    expect(went).toEqual(['orgs']);
    expect(session.currentMembership()).toBeNull();
  });

  test('the same about an organisation that was left in the meantime: nothing', async () => {
    await failureAfter(errorResponse({ http: 403, code: 'CB-07-0008' }), () =>
      session.chooseOrganisation(membershipOf('user', 'NORD')),
    );
    expect(went).toEqual([]);
    expect(toasts()).toEqual([]);
    expect(session.currentMembership()?.code).toBe('NORD');
  });

  test('403 with its own message in the catalogue: that message', async () => {
    gateway.respond(read, () =>
      errorResponse({ http: 403, code: 'CB-07-0018', message: 'A superadmin cannot.' }),
    );
    await failureOf(readSim());
    expect(toasts()).toEqual(['A superadmin cannot.']);
  });

  test.each([
    ['CB-07-0024', 'twoFactor'],
    ['CB-07-0026', 'network'],
  ])('%s: the organisation is shown as closed, without a toast', async (code, reason) => {
    gateway.respond(read, () => errorResponse({ http: 403, code }));
    await failureOf(readSim());
    expect(renderHook(() => useClosedOrganisation()).result.current).toBe(reason);
    expect(went).toEqual([]);
    expect(toasts()).toEqual([]);
  });

  test('an end of the session caused by the person is not reported', async () => {
    const backToNormal = expectSessionEnd();
    gateway.respond(read, () => errorResponse({ http: 401, code: 'CB-00-0401' }));
    await failureOf(readSim());
    expect(went).toEqual([]);
    backToNormal();
    await failureOf(readSim());
    expect(went).toEqual(['401']);
  });

  test('404: the message', async () => {
    gateway.respond(read, () =>
      errorResponse({ http: 404, code: 'CB-01-0001', message: 'SIM does not exist.' }),
    );
    await failureOf(readSim());
    expect(toasts()).toEqual(['SIM does not exist.']);
    expect(reported).toEqual([]);
  });

  test('500: the message, and the error is reported', async () => {
    gateway.respond(read, () => errorResponse({ http: 500, code: 'CB-99-0500' }));
    const failure = await failureOf(readSim());
    expect(toasts()).toEqual(['said the server']);
    expect(reported).toEqual([failure]);
  });

  test('no response: Network Error', async () => {
    const failure = await failureOf(readSim());
    expect(failure.http).toBe(0);
    expect(toasts()).toEqual(['Network Error']);
  });

  test('an unexpected response, such as a proxy’s page: its own message', async () => {
    gateway.respond(read, () => new Response('<h1>Bad Gateway</h1>', { status: 502 }));
    const failure = await failureOf(readSim());
    expect(failure).toMatchObject({ http: 502, code: null });
    expect(toasts()).toEqual(['The server sent an unexpected response. Please try again.']);
  });

  test('HTTP 200 with a failure code is a failure', async () => {
    gateway.respond(read, () => errorResponse({ http: 200, code: 'CB-07-0135', resultCode: '0135' }));
    expect(await failureOf(readSim())).toMatchObject({ resultCode: '0135' });
    expect(toasts()).toEqual(['said the server']);
  });

  test('a failure that is shown in place causes no toast', async () => {
    gateway.respond(read, () => errorResponse({ http: 404, code: 'CB-01-0001' }));
    await failureOf(call(endpoints.sim.basic, { query: { iccid }, announce: false }));
    expect(toasts()).toEqual([]);
  });
});

test('the error report contains the trace id and nothing else of the call', () => {
  const contexts: unknown[] = [];
  setErrorReporter((_, context) => contexts.push(context));
  const failure = new ApiFailure({
    code: null,
    resultCode: null,
    http: 500,
    message: '',
    issues: [],
    traceId: 't-1',
  });
  reportError(failure, 'screen');
  reportError(new Error('plain'), 'screen');
  expect(contexts).toEqual([
    { where: 'screen', traceId: 't-1' },
    { where: 'screen', traceId: null },
  ]);
});

test('errors are reported to the server with page and trace id only, in limited number', async () => {
  const sent: { path: string; report: Blob }[] = [];
  const beacon = (path: string | URL, body?: unknown) => {
    sent.push({ path: String(path), report: body as Blob });
    return true;
  };
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: beacon });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  history.pushState(null, '', '/en-US/diagnose/secret?search=secret');
  setErrorReporter(reporterToServer('1.6.8-alpha.1'));
  const failure = new ApiFailure({
    code: null,
    resultCode: null,
    http: 500,
    message: 'x'.repeat(2000),
    issues: [],
    traceId: 't-1',
  });
  reportError(failure, 'server error');
  for (let more = 0; more < 2 * limits.consoleErrors.perPage; more += 1)
    reportError(new Error('plain'), 'screen');
  expect(sent).toHaveLength(limits.consoleErrors.perPage);
  const reader = new FileReader();
  reader.readAsText(sent[0]?.report ?? new Blob());
  await vi.waitFor(() => expect(reader.readyState).toBe(FileReader.DONE));
  const report: unknown = JSON.parse(String(reader.result));
  expect(consoleErrorSchema.parse(report)).toMatchObject({
    where: 'server error',
    path: '/en-US/diagnose',
    trace_id: 't-1',
    version: '1.6.8-alpha.1',
  });
  expect(JSON.stringify(report)).not.toContain('secret');
  expect(sent[0]?.path).toBe(consoleErrorsPath);
});

test.each([
  ['follows Retry-After', 429, '30', 30_000, 31_000],
  ['is the usual one without it', 503, undefined, 0, 1000],
  ['is at most a minute', 503, '86400', 60_000, 61_000],
])('the pause before retrying a busy server %s', async (_, http, retryAfter, least, most) => {
  gateway.respond(read, () => {
    const answer = errorResponse({ http, code: 'CB-00-0429' });
    if (retryAfter !== undefined) answer.headers.set('retry-after', retryAfter);
    return answer;
  });
  const pause = retryTemporaryFailures.retryDelay(0, await failureOf(readSim()));
  expect(pause).toBeGreaterThanOrEqual(least);
  expect(pause).toBeLessThanOrEqual(most);
});
