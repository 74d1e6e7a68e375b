export { session, startSession, useSession } from './session.ts';
