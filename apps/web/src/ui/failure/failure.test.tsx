import { endpoints } from '@simcube/contract';
import { renderHook, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure, attempt, call, setErrorReporter } from '../../lib/api-client/index.ts';
import { useToasts } from '../../lib/toast/index.ts';
import { errorResponse, stubGateway } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Failure } from './index.ts';

const gateway = stubGateway();
const params = { userId: '1' };
const account = '/customer/accounts/1';
const shown = () => renderHook(() => useToasts()).result.current.map(({ text, note }) => [text, note]);

beforeEach(() => {
  signedInAs('admin');
  setErrorReporter(() => undefined);
});

test('an error of the server is shown with its code and trace ID, and with what else may help', async () => {
  gateway.respond('GET /customer/partner/ACME/accounts/1', () =>
    errorResponse({ http: 500, code: 'CB-99-0500' }),
  );
  await attempt(() => call(endpoints.account.get, { params: { ...params, partnerCode: 'ACME' } }));
  expect(shown()).toEqual([
    ['said the server', 'If it persists, sign out and in again. CB-99-0500 · Trace ID trace-refused'],
  ]);
});

test('a removal that failed is shown with its code', async () => {
  const refused = { http: 403, code: 'CB-07-0018', message: 'A superadmin cannot be removed.' };
  gateway.respond(`DELETE ${account}`, () => errorResponse(refused));
  await attempt(() => call(endpoints.account.remove, { params }));
  expect(shown()).toEqual([['A superadmin cannot be removed.', 'CB-07-0018']]);
});

test('what could not be loaded is shown with its code, and retried on demand', async () => {
  const onRetry = vi.fn();
  const facts = { code: 'CB-99-0503', resultCode: null, http: 503, issues: [], traceId: 'trace-1' };
  const error = new ApiFailure({ ...facts, message: 'Not now.' });
  const { user } = renderScreen(<Failure error={error} onRetry={onRetry} />);
  expect(await screen.findByText('CB-99-0503 · Trace ID trace-1')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test('a request that is refused says why, and is not retried', async () => {
  const issue = { path: 'to', key: 'spanTooLong', message: 'At most 31 days' } as const;
  const facts = { code: 'CB-00-0400', resultCode: null, http: 400, issues: [issue], traceId: 'trace-1' };
  const error = new ApiFailure({ ...facts, message: 'Please check the highlighted fields.' });
  renderScreen(<Failure error={error} onRetry={() => undefined} />);
  expect(await screen.findByText('At most 31 days')).toBeInTheDocument();
  expect(screen.queryByText(/highlighted/)).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});
