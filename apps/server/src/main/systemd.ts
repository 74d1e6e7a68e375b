import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '../platform/log/index.ts';

/**
 * Informs systemd that the process is ready (`Type=notify`): units that need it start, and `systemctl` returns.
 * By systemd's own program, because Node.js has no datagrams over Unix sockets.
 */
export const notifySystemd = (log: Log): Promise<void> =>
  promisify(execFile)('systemd-notify', ['--ready'], { timeout: 10_000 }).then(
    () => undefined,
    (error: Error) => log.error({ err: error }, 'systemd could not be informed that the server is ready'),
  );
