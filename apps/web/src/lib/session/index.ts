export { session, startSession, useSession } from './session.ts';
export { signInAgain } from './sign-in-again.ts';
