import { session } from '../../lib/session/index.ts';

/** The same permission as in the endpoint records; the server checks again. */
export const mayChange = (): boolean => session.can('account', 'write');
