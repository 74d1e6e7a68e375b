import type { AuditEntry } from '@simcube/contract/audit';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { accountOf } from '../../../testing/accounts.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { auditFilterOf } from '../audit-filter.ts';
import { AuditPanel, ExportAuditButton } from '../index.ts';
import { auditSearch } from '../search.ts';

const gateway = stubGateway();
const list = 'POST /customer/operation/log/list';
const exported = 'POST /customer/operation/log/export';

const entryOf = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  number: 7,
  at: '2026-11-21T12:00:00.000Z',
  action: 'organisation.updated',
  actor: { kind: 'person', id: 'user-1', name: 'Ana Martín' },
  subject: { kind: 'organisation', id: '2', name: 'Acme Mobility' },
  before: { sms_quota: { kind: 'inherit' }, country: 'DE', two_factor_required: false, allowed_networks: [] },
  after: {
    two_factor_required: true,
    allowed_networks: ['203.0.113.0/24'],
    sms_quota: { kind: 'custom', messages: 1500 },
    country: 'ES',
  },
  address: '203.0.113.9',
  trace_id: 'trace-1',
  hash: 'c907a6b2d9b13a63a3e67113a606b2ca13d60780a5dd2cdae62bfceca3ffc66a',
  ...changes,
});

const Panel = () => {
  const address = useAddress(auditSearch);
  return (
    <>
      <ExportAuditButton search={address.search} />
      <AuditPanel {...address} />
    </>
  );
};

const bodyOf = (path: string) =>
  gateway.sent.filter((one) => `${one.method} ${one.path}` === path).at(-1)?.body;

beforeEach(() => {
  signedInAs('admin');
  gateway.respond(list, () => success([entryOf()], { total_count: 1 }));
  gateway.respond('GET /customer/partner/ACME/accounts', () => success([accountOf()], { total_count: 1 }));
});

test('the audit trail shows actor, action, object and address', async () => {
  const { history, user } = renderScreen(<Panel />);
  const row = await screen.findByRole('row', { name: /Changed an organisation/ });
  for (const words of ['Ana Martín', 'Acme Mobility', '203.0.113.9', 'c907a6b2…']) {
    expect(within(row).getByText(words)).toBeInTheDocument();
  }
  await user.click(within(row).getByRole('link', { name: 'Changed an organisation' }));
  expect(history.location.href).toBe('/?entry=7');
});

test.each<[string, Partial<AuditEntry>]>([
  ['Disabled a webhook', { action: 'webhook.switched', after: { status: 'disabled' } }],
  ['Enabled an account', { action: 'account.status-changed', after: { status: 'active' } }],
  ['Revoked oversight', { action: 'account.oversight-changed', after: { oversight: false } }],
  ['Enabled an autoflow rule', { action: 'autoflow.switched', after: { enabled: true, owner: 'Ana' } }],
  ['Enabled or disabled a scheduled SMS', { action: 'schedule.switched', after: null }],
])('of two things that an action may do, the one that happened is named: %s', async (name, entry) => {
  gateway.respond(list, () => success([entryOf(entry)], { total_count: 1 }));
  renderScreen(<Panel />);
  expect(await screen.findByRole('link', { name })).toBeInTheDocument();
});

test('an open entry shows each value before and after, in words', async () => {
  renderScreen(<Panel />, '/?entry=7');
  const drawer = await screen.findByRole('dialog');
  const cells = within(drawer)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(cells).toEqual([
    ['Country', 'Germany', 'Spain'],
    ['SMS quota', 'Inherited', '1,500 SMS'],
    ['Two-factor required', 'No', 'Yes'],
    ['Allowed networks', 'None', '203.0.113.0/24'],
  ]);
});

test('a link opens an entry that is not on the first page', async () => {
  gateway.respond(list, ({ body }) => {
    const { number } = body as { number?: number };
    return success([entryOf({ number: number ?? 900 })], { total_count: 1 });
  });
  renderScreen(<Panel />, '/?entry=7');
  const drawer = await screen.findByRole('dialog', { name: 'Changed an organisation' });
  expect(within(drawer).getByText('7')).toBeInTheDocument();
});

test('a link to an entry that does not exist is reported', async () => {
  gateway.respond(list, ({ body }) =>
    success('number' in (body as object) ? [] : [entryOf()], { total_count: 1 }),
  );
  renderScreen(<Panel />, '/?entry=8');
  const drawer = await screen.findByRole('dialog');
  expect(await within(drawer).findByText('Not found')).toBeInTheDocument();
});

/** The rows of an entry's changed values. */
const differenceOf = async (changes: Partial<AuditEntry>): Promise<(string | null)[][]> => {
  gateway.respond(list, () => success([entryOf(changes)], { total_count: 1 }));
  renderScreen(<Panel />, '/?entry=7');
  const drawer = await screen.findByRole('dialog');
  return within(drawer)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
};

test('amounts are formatted in the entry’s currency, and bytes with a unit', async () => {
  const rows = await differenceOf({
    action: 'bill.reissued',
    before: { version: 1, total_minor: 479_685, limit_bytes: 5 * 1024 ** 3 },
    after: { version: 2, total_minor: 232_958, currency: 'EUR', month: '2026-08', paid_on: '2026-09-08' },
  });
  expect(rows).toEqual([
    ['Total', '€4,796.85', '€2,329.58'],
    ['Currency', '—', 'EUR'],
    ['Paid on', '—', 'Sep 8, 2026'],
    ['Month', '—', 'August 2026'],
    ['Version', '1', '2'],
    ['Limit', '5\u00a0GB', '—'],
  ]);
});

test('an amount without a currency is shown in minor units', async () => {
  const rows = await differenceOf({
    action: 'bill.terms-changed',
    before: null,
    after: { terms: 'credit', credit_limit_minor: 2_500_000 },
  });
  expect(rows).toContainEqual(['Credit limit', '—', '2,500,000 minor units']);
});

test('a rule, weekly times and the texts of a template are described in words', async () => {
  const rows = await differenceOf({
    action: 'autoflow.changed',
    before: null,
    after: {
      trigger: { kind: 'silent', hours: 48 },
      scope: { kind: 'tags', tags: ['meter'] },
      actions: [{ kind: 'add-tag', tag: 'quiet' }],
      active_from: '2026-11-21T12:00:00.000Z',
      run_at: '2026-11-18T03:00',
      times: ['2 08:00', '4 08:00'],
      texts: { 'en-US': { subject: 'Quiet', text: '{{device_name}}' }, 'es-ES': { subject: 'En silencio' } },
      paused: 'gone',
      status: 'enabled',
    },
  });
  expect(rows).toEqual([
    ['Status', '—', 'Enabled'],
    ['Paused', '—', expect.stringContaining('no longer exists')],
    ['Date and time', '—', 'Nov 18, 2026, 03:00'],
    ['Times of the week', '—', 'Tue 08:00, Thu 08:00'],
    ['Event trigger', '—', expect.stringContaining('48')],
    ['Scope', '—', 'meter'],
    ['Actions', '—', expect.stringContaining('quiet')],
    ['Active from', '—', 'Nov 21, 2026, 12:00'],
    ['Texts', '—', 'English:\nQuiet\n{{device_name}}\n\nEspañol:\nEn silencio'],
  ]);
});

test('the screen from which a rule was removed is named', async () => {
  const rows = await differenceOf({ action: 'autoflow.removed', before: null, after: { scene: 'detail' } });
  expect(rows).toEqual([['Removed from', '—', 'its page']]);
});

test('the audit trail is filtered by action and person at the server', async () => {
  const { user } = renderScreen(<Panel />);
  await screen.findByRole('row', { name: /Changed an organisation/ });
  await user.click(screen.getByRole('button', { name: '+ Filter' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Action' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Removed an account' }));
  await waitFor(() => expect(bodyOf(list)).toMatchObject({ action: ['account.removed'] }));
  await user.click(screen.getByRole('button', { name: '+ Filter' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Who' }));
  await user.click(await screen.findByRole('radio', { name: 'Bea Ortiz' }));
  await waitFor(() => expect(bodyOf(list)).toMatchObject({ actor_id: accountOf().id }));
});

test('days in the filter are whole days, in UTC or local time', () => {
  expect(auditFilterOf({ from: '2026-11-20', to: '2026-11-21' }, 'UTC')).toEqual({
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-21T23:59:59.999Z',
  });
  expect(auditFilterOf({ to: '2026-11-21' }, 'LOCAL').to).toBe(
    new Date('2026-11-21T23:59:59.999').toISOString(),
  );
});

test('an export is saved under the file name of the server', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    document.title = this.download;
  });
  URL.createObjectURL = () => 'blob:audit';
  gateway.respond(
    exported,
    () =>
      new Response('number,at\n', {
        headers: {
          'content-type': 'text/csv',
          'content-disposition': 'attachment; filename="audit-ACME-2026-11-21.csv"',
        },
      }),
  );
  const { user } = renderScreen(<Panel />);
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(document.title).toBe('audit-ACME-2026-11-21.csv'));
  saved.mockRestore();
});

test('a rejected export saves nothing', async () => {
  const made = vi.fn(() => 'blob:none');
  URL.createObjectURL = made;
  gateway.respond(exported, () => errorResponse({ http: 403, code: 'CB-00-0403' }));
  const { user } = renderScreen(<Panel />);
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Export CSV' })).toBeEnabled());
  expect(made).not.toHaveBeenCalled();
});

test('an empty audit trail has its own text', async () => {
  gateway.respond(list, () => success([], { total_count: 0 }));
  renderScreen(<Panel />);
  expect(await screen.findByText('Nothing recorded yet')).toBeInTheDocument();
});

test('a failure is shown in place', async () => {
  gateway.respond(list, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  renderScreen(<Panel />);
  expect(await screen.findByText('It broke.')).toBeInTheDocument();
});
