import type { Diagnose } from '@simcube/contract/diagnose';
import { focusManager, useQueryClient } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { activateLanguage, addConsolePhrases } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { testIccid } from '../../testing/orders.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { DiagnoseDrawer } from './diagnose-drawer.tsx';
import { PublicDiagnoseScreen } from './public-diagnose.screen.tsx';

const gateway = stubGateway();
const own = 'GET /cube/sim/diagnose';
const share = 'POST /cube/sim/diagnose/share';
const links = 'GET /cube/sim/diagnose/links';
const linkId = 'link_0123456789abcdefghij';
// The screen reads the link's id from its route, which a component rendered alone does not have.
vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useParams: () => ({ linkId: 'link_0123456789abcdefghij' }),
}));
const shared = `GET /public-sphere/cube/sims/diagnose/${linkId}`;

const report = (changes: Partial<Diagnose> = {}): Diagnose => ({
  iccid: testIccid,
  device_name: 'Truck 2204',
  organisation: 'Acme Mobility',
  made_at: '2026-11-21T14:32:00.000Z',
  overall: 'bad',
  checks: [
    {
      check: 'card',
      light: 'good',
      finding: 'card',
      facts: {},
      sentence: 'The card is known.',
      advice: null,
    },
    {
      check: 'quota',
      light: 'bad',
      finding: 'quotaUsed',
      facts: {},
      sentence: 'The quota is used up.',
      advice: 'Order a bundle.',
    },
  ],
  ...changes,
});

const saved: string[] = [];
beforeEach(() => {
  signedInAs('admin');
  saved.length = 0;
  URL.createObjectURL = () => 'blob:report';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  gateway.respond(own, () => success(report()));
  gateway.respond(links, () => success([]));
});

const pdf = () =>
  new Response('%PDF-1.7', {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="report.pdf"',
    },
  });

test('each check shows its status as text, a sentence and advice', async () => {
  renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  const checks = within(await screen.findByRole('list', { name: 'Checks' })).getAllByRole('listitem');
  expect(checks).toHaveLength(2);
  expect(checks[0]).toHaveTextContent('CardGoodThe card is known.');
  expect(checks[1]).toHaveTextContent('FaultThe quota is used up.What to do Order a bundle.');
  expect(screen.getByText(/Good: 1 · Attention: 0 · Fault: 1 · Unknown: 0/)).toBeInTheDocument();
});

test('the report has the zone of its sentences, whichever the person chose', async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  session.set('TimeZone', 'LOCAL');
  renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  const made = await screen.findByText('Created Nov 21, 2026, 14:32:00 UTC');
  expect(made).toHaveAttribute('title', 'Nov 21, 2026, 23:32:00 GMT+9');
  session.set('TimeZone', 'UTC');
  vi.unstubAllEnvs();
});

const created = { id: linkId, expires_at: '2026-11-24T14:32:00.000Z', report: report() };

test('the report that a link shows is the one on screen, even if the SIM has changed since the check', async () => {
  const now = report({
    overall: 'good',
    made_at: '2026-11-21T15:10:00.000Z',
    checks: report().checks.slice(0, 1),
  });
  gateway.respond(share, () => success({ ...created, report: now }));
  const { user } = renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  expect(await screen.findByText(/The quota is used up/)).toBeInTheDocument();
  await shareOnce(user);
  await screen.findByLabelText('Link to the report');
  expect(screen.queryByText(/The quota is used up/)).not.toBeInTheDocument();
  expect(screen.getByText('The card is known.')).toBeInTheDocument();
});

test('a report stays as it is while everything else is refetched, until the person checks again', async () => {
  let invalidateAll: () => Promise<void> = async () => undefined;
  const Page = () => {
    const queries = useQueryClient();
    invalidateAll = () => queries.invalidateQueries();
    return <DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />;
  };
  const { user } = renderScreen(<Page />);
  await screen.findByText(/The quota is used up/);
  gateway.respond(own, () => success(report({ checks: report().checks.slice(0, 1) })));
  await act(invalidateAll);
  await act(async () => void focusManager.onFocus());
  expect(screen.getByText(/The quota is used up/)).toBeInTheDocument();
  expect(gateway.sent.filter(({ path }) => path.endsWith('/diagnose'))).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: /Check again/ }));
  await expect.poll(() => screen.queryByText(/The quota is used up/)).toBeNull();
});

const shares = () => gateway.sent.filter(({ path }) => path.endsWith('/share')).length;
const shareOnce = async (user: ReturnType<typeof renderScreen>['user']) => {
  await user.click(screen.getByRole('button', { name: /Share/ }));
  await user.click(await screen.findByRole('button', { name: 'Create link' }));
};

test('creating a link first shows its content, readers and validity, and can be cancelled', async () => {
  const { user } = renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  await screen.findByRole('list', { name: 'Checks' });
  await user.click(screen.getByRole('button', { name: /Share/ }));
  const create = () => screen.queryByRole('button', { name: 'Create link' });
  await expect.poll(create).toBeInTheDocument();
  const question = create()?.closest<HTMLElement>('[role="dialog"]') ?? document.body;
  expect(question).toHaveTextContent('Create a public link?');
  expect(question).toHaveTextContent(
    /A copy of the current report: ICCID, device name, organisation, last location \(cell and nearest town\)/,
  );
  expect(question).toHaveTextContent('Anyone who has the link, without signing in.');
  expect(question).toHaveTextContent('72 hours. You can withdraw it here at any time.');
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  await expect.poll(create).toBeNull();
  expect(shares()).toBe(0);
});

test('one link is created per check', async () => {
  gateway.respond(share, () => success(created));
  const { user } = renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  await screen.findByRole('list', { name: 'Checks' });
  await shareOnce(user);
  expect(await screen.findByLabelText('Link to the report')).toHaveValue(
    `${window.location.origin}/en-US/diagnose/${linkId}`,
  );
  expect(screen.getByText(/Works until Nov 24, 2026/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: /Share/ }));
  expect(shares()).toBe(1);
  await user.click(screen.getByRole('button', { name: /Check again/ }));
  await expect.poll(() => screen.queryByLabelText('Link to the report')).toBeNull();
  await shareOnce(user);
  await expect.poll(shares).toBe(2);
});

test('valid links are listed with their expiry, and withdrawn after confirmation', async () => {
  let open = [
    { id: '8', made_at: '2026-11-21T14:32:00.000Z', expires_at: '2026-11-24T14:32:00.000Z' },
    { id: '7', made_at: '2026-11-20T09:00:00.000Z', expires_at: '2026-11-23T09:00:00.000Z' },
  ];
  gateway.respond(links, () => success(open));
  gateway.respond(share, () => success(created));
  gateway.respond('DELETE /cube/sim/diagnose/links/8', () => {
    open = open.slice(1);
    return success(null);
  });
  const { user } = renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  const list = await screen.findByRole('list', { name: 'Links that work now' });
  expect(within(list).getAllByRole('listitem')[1]).toHaveTextContent(
    /Created Nov 20, 2026.* works until Nov 23, 2026/,
  );
  await shareOnce(user);
  await screen.findByLabelText('Link to the report');
  await user.click(screen.getByRole('button', { name: /Withdraw the link created Nov 21, 2026/ }));
  expect((await screen.findAllByText('Withdraw this link?')).length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'Withdraw' }));
  await expect.poll(() => within(list).getAllByRole('listitem')).toHaveLength(1);
  // The link that was just created can no longer be copied.
  expect(screen.queryByLabelText('Link to the report')).toBeNull();
});

test('links are not requested without permission to share', async () => {
  signedInAs('operator');
  renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  await screen.findByRole('list', { name: 'Checks' });
  expect(gateway.sent.some(({ path }) => path.endsWith('/links'))).toBe(false);
});

test('the PDF is downloaded by the signed-in person, without creating a link', async () => {
  gateway.respond(`${own}/pdf`, pdf);
  const { user } = renderScreen(<DiagnoseDrawer iccid={testIccid} onClose={() => undefined} open />);
  await screen.findByRole('list', { name: 'Checks' });
  await user.click(screen.getByRole('button', { name: /Download PDF/ }));
  await expect.poll(() => saved).toEqual(['report.pdf']);
  const fetched = gateway.sent.find(({ path }) => path.endsWith('/pdf'));
  expect(fetched?.query.get('iccid')).toBe(testIccid);
  expect(fetched?.headers.get('authorization')).toMatch(/^Bearer /);
  expect(gateway.sent.some(({ path }) => path.endsWith('/share'))).toBe(false);
  expect(screen.queryByLabelText('Link to the report')).toBeNull();
});

test('the shared page needs no session, and follows the language', async () => {
  session.clear();
  gateway.respond(shared, ({ headers }) =>
    success(report({ organisation: headers.get('accept-language') === 'es-ES' ? 'Acme ES' : 'Acme' })),
  );
  gateway.respond(`${shared}/pdf`, pdf);
  const { user } = renderScreen(<PublicDiagnoseScreen />);
  expect(await screen.findByRole('heading', { name: testIccid })).toBeInTheDocument();
  await addConsolePhrases('es-ES');
  await act(() => activateLanguage('es-ES'));
  expect(await screen.findByText(/de Acme ES/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Descargar PDF' }));
  await expect.poll(() => saved).toEqual(['report.pdf']);
});

test('a report that can not be loaded in another language says so above the one on screen', async () => {
  gateway.respond(shared, () => success(report()));
  const { user } = renderScreen(<PublicDiagnoseScreen />);
  await screen.findByText('The card is known.');
  gateway.respond(shared, () => errorResponse({ http: 500, code: 'CB-99-0500' }));
  await addConsolePhrases('es-ES');
  await act(() => activateLanguage('es-ES'));
  const failure = await screen.findByRole('alert');
  const card = screen.getByText('The card is known.');
  expect(failure.compareDocumentPosition(card)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  const [check] = report().checks;
  gateway.respond(shared, () =>
    success(report({ checks: check ? [{ ...check, sentence: 'La tarjeta.' }] : [] })),
  );
  await user.click(within(failure).getByRole('button'));
  expect(await screen.findByText('La tarjeta.')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
  gateway.respond(shared, () => errorResponse({ http: 404, code: 'CB-01-0019' }));
  await act(() => activateLanguage('en-US'));
  await screen.findByRole('heading', { name: 'This report is no longer available' });
  expect(screen.queryByText('La tarjeta.')).toBeNull();
});

test('an expired link is reported, and other failures can be retried', async () => {
  gateway.respond(shared, () => errorResponse({ http: 500, code: 'CB-99-0500' }));
  const { user } = renderScreen(<PublicDiagnoseScreen />);
  const again = await screen.findByRole('button', { name: 'Try again' });
  gateway.respond(shared, () => errorResponse({ http: 404, code: 'CB-01-0019' }));
  await user.click(again);
  expect(
    await screen.findByRole('heading', { name: 'This report is no longer available' }),
  ).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a withdrawn link is reported', async () => {
  gateway.respond(shared, () => errorResponse({ http: 404, code: 'CB-01-0025' }));
  renderScreen(<PublicDiagnoseScreen />);
  expect(await screen.findByRole('heading', { name: 'This link was withdrawn' })).toBeInTheDocument();
  expect(screen.getByText(/Its sender no longer shares the report/)).toBeInTheDocument();
});
