declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why the login page is shown: the stored token was malformed. */
    signInAgain?: true;
  }
}

/** State of the history entry that leads to login, which shows the reason. */
export const signInAgain = { signInAgain: true } as const;
