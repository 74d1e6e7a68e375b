import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangePasswordDialog } from '../../features/profile/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';
import { useLeaveAll } from '../../ui/unsaved/index.ts';
import { type ShellActions, ShellActionsContext } from '../shell-actions.ts';
import { AboutDialog } from './about-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WelcomeDialog } from './welcome-dialog.tsx';

export const ShellDialogs = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation();
  const [aboutOpen, setAboutOpen] = useState(false);
  const [passwordOpen, setPasswordOpen] = useState(false);
  const confirm = useConfirm();
  const signOut = useSignOut();
  const leave = useLeaveAll();
  const actions = useMemo<ShellActions>(
    () => ({
      openAbout: () => setAboutOpen(true),
      changePassword: () => setPasswordOpen(true),
      signOut: () => {
        const question = {
          title: t('shell.signOut.title'),
          body: t('shell.signOut.text'),
          action: t('shell.signOut.confirm'),
        };
        leave(() => void confirm(question).then((yes) => (yes ? signOut() : undefined)));
      },
    }),
    [confirm, leave, signOut, t],
  );
  return (
    <ShellActionsContext value={actions}>
      {children}
      <AboutDialog open={aboutOpen} onClose={() => setAboutOpen(false)} />
      <ChangePasswordDialog open={passwordOpen} onClose={() => setPasswordOpen(false)} />
      <WelcomeDialog />
    </ShellActionsContext>
  );
};
