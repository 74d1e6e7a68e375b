export interface InvitationPagesProps {
  token: string;
  /** The person signed in, or continues as before: the route's guard decides where to go. */
  onEnter: () => void;
  onForgot: (email: string) => void;
  /** Returns to plain sign-in, with a message to show there. */
  onSignIn: (email: string, notice: string | null) => void;
}
