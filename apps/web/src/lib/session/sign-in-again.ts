declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why the login page is shown: what was taken for a token is none. */
    signInAgain?: true;
  }
}

/** State of the history entry that leads to login, where the person reads why. */
export const signInAgain = { signInAgain: true } as const;
