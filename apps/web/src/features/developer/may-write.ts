import { session } from '../../lib/session/index.ts';

/** Whether the person may make keys and change the webhook; the server decides again. */
export const mayWrite = (): boolean => session.can('cube-developer-key', 'write');
