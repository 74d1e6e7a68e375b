import type { PermissionMap } from '@simcube/contract';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { activateLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { stubGateway } from '../../testing/gateway.ts';
import { membershipOf, signedInAs } from '../../testing/people.ts';
import { allDrafts } from '../../ui/unsaved/index.ts';
import { createConsoleRouter } from '../router.tsx';
import { lostAreas } from './lost-permissions.ts';

stubGateway();
afterEach(() => activateLanguage('en-US'));

describe('areas with lost permissions', () => {
  test.each<[string, PermissionMap, PermissionMap, unknown]>([
    ['nothing was lost', { sim: ['read'] }, { sim: ['read', 'operate'] }, []],
    ['one action', { sim: ['read', 'operate'] }, { sim: ['read'] }, [['sim', ['operate'], ['read']]]],
    ['an area', { cdr: ['read'] }, {}, [['cdr', ['read'], []]]],
    [
      'of all permissions some',
      { '*': ['all'] },
      {
        sim: ['all'],
        'shared-pool-cube': ['all'],
        'sim-report-cube': ['all'],
        'customer-bill-cube': ['all'],
        'cube-schedule-sms': ['read'],
        'autoflow-cube': ['all'],
        cdr: ['all'],
        'cube-developer-key': ['all'],
        account: ['all'],
      },
      [['cube-schedule-sms', ['operate', 'write'], ['read']]],
    ],
  ])('%s', (_, before, now, wanted) => {
    expect(lostAreas(before, now).map(({ key, lost, kept }) => [key, lost, kept])).toEqual(wanted);
  });
});

describe('a person who loses permissions while the console is open', () => {
  const open = async (language: 'en-US' | 'es-ES' | 'zh-CN' | 'zh-TW'): Promise<void> => {
    signedInAs('operator');
    const router = createConsoleRouter(createMemoryHistory({ initialEntries: [`/${language}/orgs`] }));
    render(<RouterProvider router={router as never} />);
    await screen.findByRole('main');
    await screen.findByRole('heading', { level: 1 });
  };
  const take = (): void =>
    act(() =>
      session.setMemberships([
        { ...membershipOf('operator'), changes: { 'cube-schedule-sms': ['read'], cdr: [] } },
      ]),
    );

  test.each([
    [
      'en-US',
      'You no longer have these permissions in ACME Mobility: SMS (Operate) and CDRs.',
      'You still have: SMS (Read).',
    ],
    ['es-ES', 'Ya no tiene estos permisos en ACME Mobility: SMS (Operar) y CDR.', 'Conserva: SMS (Ver).'],
    ['zh-CN', '您在 ACME Mobility 不再拥有以下权限：短信（操作）和CDR。', '仍然拥有：短信（查看）。'],
    ['zh-TW', '您在 ACME Mobility 不再擁有以下權限：簡訊（操作）和CDR。', '仍然擁有：簡訊（檢視）。'],
  ] as const)('is shown lost and remaining permissions in %s', async (language, text, note) => {
    await open(language);
    take();
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByText(note)).toBeInTheDocument();
  });

  test('is shown that their input was not saved', async () => {
    await open('en-US');
    const remove = allDrafts.add(() => true);
    take();
    expect(await screen.findByText(/What you entered for them was not saved\.$/)).toBeInTheDocument();
    remove();
  });

  test('is shown nothing when only the organisation changes', async () => {
    await open('en-US');
    act(() => session.chooseOrganisation(membershipOf('user', 'NORD')));
    take();
    expect(screen.queryByText(/You no longer have/)).not.toBeInTheDocument();
  });
});
