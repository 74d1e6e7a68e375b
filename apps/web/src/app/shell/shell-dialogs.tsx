import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../ui/dialog/index.ts';
import { AboutDialog } from './about-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';
import { WelcomeDialog } from './welcome-dialog.tsx';

export interface ShellActions {
  openAbout: () => void;
  /** Asks first. */
  signOut: () => void;
}

const ShellActionsContext = createContext<ShellActions | null>(null);

/** What the account menu and the command palette can start; null outside the shell. */
export const useShellActions = (): ShellActions | null => useContext(ShellActionsContext);

export const ShellDialogs = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation();
  const [aboutOpen, setAboutOpen] = useState(false);
  const confirm = useConfirm();
  const signOut = useSignOut();
  const actions = useMemo<ShellActions>(
    () => ({
      openAbout: () => setAboutOpen(true),
      signOut: () => {
        const question = {
          title: t('shell.signOut.title'),
          body: t('shell.signOut.text'),
          action: t('shell.signOut.confirm'),
        };
        void confirm(question).then((yes) => (yes ? signOut() : undefined));
      },
    }),
    [confirm, signOut, t],
  );
  return (
    <ShellActionsContext value={actions}>
      {children}
      <AboutDialog open={aboutOpen} onClose={() => setAboutOpen(false)} />
      <WelcomeDialog />
    </ShellActionsContext>
  );
};
