export interface InvitationPagesProps {
  token: string;
  /** Signed in, or going on as before: the guard of the route knows where to. */
  onEnter: () => void;
  onForgot: (email: string) => void;
  /** Back to plain sign-in, with something to say there. */
  onSignIn: (email: string, notice: string | null) => void;
}
