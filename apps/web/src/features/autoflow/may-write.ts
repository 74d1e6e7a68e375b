import { session } from '../../lib/session/index.ts';

/** Whether the person may make and change rules; the server decides again. */
export const mayWrite = (): boolean => session.can('autoflow-cube', 'write');
