import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session, useSession } from '../../lib/session/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';
import { lazyOverlay } from '../../ui/lazy-overlay/index.ts';
import { useShortcut } from '../../ui/shortcuts/index.ts';
import { useLeaveAll } from '../../ui/unsaved/index.ts';
import { useSessionEnded } from '../session-ended.ts';
import { type ShellActions, ShellActionsContext } from '../shell-actions.ts';
import { GuideTextLink } from './guide-link.tsx';
import { useSignOut } from './use-sign-out.ts';

const AboutDialog = lazyOverlay(async () => (await import('./dialogs.ts')).AboutDialog);
const ChangePasswordDialog = lazyOverlay(async () => (await import('./dialogs.ts')).ChangePasswordDialog);
const SessionEndedDialog = lazyOverlay(async () => (await import('./dialogs.ts')).SessionEndedDialog);
const ShortcutsDialog = lazyOverlay(async () => (await import('./dialogs.ts')).ShortcutsDialog);
const WelcomeDialog = lazyOverlay(async () => (await import('./dialogs.ts')).WelcomeDialog);

export const ShellDialogs = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation();
  const [aboutOpen, setAboutOpen] = useState(false);
  const [passwordOpen, setPasswordOpen] = useState(false);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  useShortcut('help', () => setShortcutsOpen(true));
  const sessionEnded = useSessionEnded();
  const firstSignIn = useSession('loginsCount') === 1;
  const welcomed = useSession('welcomed') === true;
  const confirm = useConfirm();
  const signOut = useSignOut();
  const leave = useLeaveAll();
  const actions = useMemo<ShellActions>(
    () => ({
      openAbout: () => setAboutOpen(true),
      openShortcuts: () => setShortcutsOpen(true),
      changePassword: () => setPasswordOpen(true),
      signOut: () => {
        const confirmation = {
          title: t('shell.signOut.title'),
          body: t('shell.signOut.text'),
          action: t('shell.signOut.confirm'),
        };
        leave(async () => {
          if (await confirm(confirmation)) await signOut();
        });
      },
    }),
    [confirm, leave, signOut, t],
  );
  return (
    <ShellActionsContext value={actions}>
      {children}
      <AboutDialog open={aboutOpen} onClose={() => setAboutOpen(false)} />
      <ChangePasswordDialog open={passwordOpen} onClose={() => setPasswordOpen(false)} />
      <ShortcutsDialog
        footer={<GuideTextLink />}
        open={shortcutsOpen}
        onClose={() => setShortcutsOpen(false)}
      />
      <WelcomeDialog open={firstSignIn && !welcomed} onClose={() => session.set('welcomed', true)} />
      <SessionEndedDialog open={sessionEnded !== null} onClose={() => sessionEnded?.()} />
    </ShellActionsContext>
  );
};
