import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeOrganisation, useClosedOrganisation } from '../../../lib/closed-organisation/index.ts';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { profileResponse, signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { TwoFactorPanel } from '../index.ts';

const gateway = stubGateway();
const path = '/identity/info/cube/two-factor';
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const codes = ['fx7kl-2u6qr-5kscd', 'wokmj-la2l3-oyeuk'];

let enabled: boolean;
let left: number;
let required: boolean;
beforeEach(() => {
  signedInAs('user');
  [enabled, left, required] = [false, 0, false];
  gateway.respond('GET /identity/info/cube/profile', () =>
    success(
      profileResponse({
        two_factor: { enabled, recovery_codes_left: left },
        two_factor_required: required,
      }),
    ),
  );
});

const Panel = () => (
  <>
    <output>{useClosedOrganisation() ?? 'open'}</output>
    <TwoFactorPanel />
  </>
);
const inDialog = async () => within(await screen.findByRole('dialog'));

describe('two-factor is turned on', () => {
  test('with password, first code and stored recovery codes, which opens an organisation that requires it', async () => {
    required = true;
    closeOrganisation('twoFactor');
    gateway.respond(`POST ${path}`, ({ body }) =>
      (body as { password: string }).password === 'Secret1!'
        ? success({ secret, uri: `otpauth://totp/SimCube:ana?secret=${secret}` })
        : errorResponse({ http: 400, code: 'CB-07-0014', message: 'Not your password.' }),
    );
    gateway.respond(`PUT ${path}`, ({ body }) => {
      if ((body as { code: string }).code !== '123456') {
        return errorResponse({ http: 400, code: 'CB-07-0010', message: 'Not this code.' });
      }
      enabled = true;
      left = 2;
      return success({ recovery_codes: codes });
    });
    const { user } = renderScreen(<Panel />);
    expect(await screen.findByText('Required by one of your organisations')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Turn on' }));
    const dialog = await inDialog();
    await user.type(dialog.getByLabelText('Your password'), 'wrong');
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    expect(await dialog.findByText('Not your password.')).toBeInTheDocument();
    await user.clear(dialog.getByLabelText('Your password'));
    await user.type(dialog.getByLabelText('Your password'), 'Secret1!');
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    expect(await dialog.findByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeInTheDocument();
    expect(dialog.getByLabelText('QR code for the authenticator app')).toBeInTheDocument();
    await user.type(dialog.getByLabelText('Verification code'), '000000');
    await user.click(dialog.getByRole('button', { name: 'Turn on' }));
    expect(await dialog.findByText('Not this code.')).toBeInTheDocument();
    await user.clear(dialog.getByLabelText('Verification code'));
    await user.type(dialog.getByLabelText('Verification code'), '123456');
    await user.click(dialog.getByRole('button', { name: 'Turn on' }));
    const list = await dialog.findByRole('list', { name: 'Your recovery codes' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(codes);
    expect(screen.getByText('open')).toBeInTheDocument();
    const done = dialog.getByRole('button', { name: 'Done' });
    expect(done).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(codes.join('\n'));
    await user.click(dialog.getByRole('checkbox', { name: 'I have stored them' }));
    await user.click(done);
    await waitFor(() => expect(screen.queryByText(codes[0] ?? '')).not.toBeInTheDocument());
    expect(screen.getByText(/^2 recovery codes left/)).toBeInTheDocument();
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(secret);
  });
});

describe('two-factor that is on', () => {
  beforeEach(() => {
    [enabled, left] = [true, 2];
  });

  test('recommends new recovery codes when few are left, and shows them once', async () => {
    gateway.respond(`POST ${path}/recovery`, () => {
      left = 10;
      return success({ recovery_codes: codes });
    });
    const { user } = renderScreen(<Panel />);
    expect(await screen.findByText(/Generate new ones before you run out/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'New recovery codes' }));
    const dialog = await inDialog();
    await user.type(dialog.getByLabelText('Your password'), 'Secret1!');
    await user.type(dialog.getByLabelText('Verification or recovery code'), '123456');
    await user.click(dialog.getByRole('button', { name: 'Generate new codes' }));
    expect(await dialog.findByText(codes[0] ?? '')).toBeInTheDocument();
    expect(gateway.sent.find(({ method }) => method === 'POST')?.body).toEqual({
      password: 'Secret1!',
      code: '123456',
    });
    expect(await screen.findByText('10 recovery codes left')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await user.click(await screen.findByText('Keep editing'));
    expect(dialog.getByText(codes[0] ?? '')).toBeInTheDocument();
  });

  test('is turned off with password and code, with a warning when it is required', async () => {
    required = true;
    gateway.respond(`POST ${path}/disable`, () => {
      enabled = false;
      return success(null);
    });
    const { user } = renderScreen(<Panel />);
    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    const dialog = await inDialog();
    expect(dialog.getByText(/you will not have access to it until you turn it on again/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Turn off' }));
    expect(await dialog.findByText('This field is required')).toBeInTheDocument();
    await user.type(dialog.getByLabelText('Your password'), 'Secret1!');
    await user.type(dialog.getByLabelText('Verification or recovery code'), '123456');
    await user.click(dialog.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeInTheDocument();
  });
});
