import { createContext, useContext } from 'react';

export interface ShellActions {
  openAbout: () => void;
  openShortcuts: () => void;
  changePassword: () => void;
  /** Asks first. */
  signOut: () => void;
}

export const ShellActionsContext = createContext<ShellActions | null>(null);

/** What the account menu and the command palette can start; null outside the shell. */
export const useShellActions = (): ShellActions | null => useContext(ShellActionsContext);
