import { createContext, useContext } from 'react';

export interface ShellActions {
  openAbout: () => void;
  openShortcuts: () => void;
  changePassword: () => void;
  /** Asks for confirmation. */
  signOut: () => void;
}

export const ShellActionsContext = createContext<ShellActions | null>(null);

/** Actions of the account menu and the command palette; null outside the shell. */
export const useShellActions = (): ShellActions | null => useContext(ShellActionsContext);
