import { UnusableSettings } from '../platform/env/index.ts';
import type { Log } from '../platform/log/index.ts';

/** A port of the settings. */
export interface PortRequest {
  /** The service that listens there, for people: `RADIUS authentication (UDP)`. */
  purpose: string;
  /** The name of the setting. */
  setting: string;
  host: string;
  port: number;
}

export interface PortOptions {
  /** Whether a taken port is an error; otherwise the next nine and then any free one are tried. */
  strict: boolean;
  log: Log;
}

/** @throws UnusableSettings that names port and setting when the port is not available */
export const listenOnAvailablePort = async <T>(
  request: PortRequest,
  { strict, log }: PortOptions,
  listen: (port: number) => Promise<T>,
): Promise<T> => {
  const candidates =
    strict || request.port === 0
      ? [request.port]
      : [...Array.from({ length: 10 }, (_, index) => request.port + index), 0];
  for (const port of candidates) {
    try {
      const result = await listen(port);
      if (port !== request.port)
        log.warn({ purpose: request.purpose, wanted: request.port }, 'the port is in use; using another one');
      return result;
    } catch (error) {
      if (reasonOf(error) === undefined) throw error;
      if (port === candidates.at(-1)) throw unavailablePort(request, error);
    }
  }
  throw new Error('No port to listen on');
};

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'cannot be opened by this user',
  EADDRNOTAVAIL: 'cannot be opened: the address does not belong to this machine',
  ENOTFOUND: 'cannot be opened: the address is unknown',
};

const reasonOf = (error: unknown): string | undefined =>
  reasons[String((error as NodeJS.ErrnoException).code)];

const unavailablePort = ({ purpose, setting, host, port }: PortRequest, error: unknown): UnusableSettings =>
  new UnusableSettings(
    `Port ${port} of ${host} for ${purpose} ${reasonOf(error)}. Free it, or set ${setting} to another one.`,
  );
