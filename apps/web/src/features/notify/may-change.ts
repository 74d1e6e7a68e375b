import { session } from '../../lib/session/index.ts';

/** As the records of the calls say; the server decides again. */
export const mayChange = (): boolean => session.can('account', 'write');
