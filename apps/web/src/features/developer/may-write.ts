import { session } from '../../lib/session/index.ts';

/** Whether the person may create keys and change the webhook; the server checks again. */
export const mayWrite = (): boolean => session.can('cube-developer-key', 'write');
