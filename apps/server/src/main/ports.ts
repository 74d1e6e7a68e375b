import { UnusableSettings } from '../platform/env/index.ts';
import type { Log } from '../platform/log/index.ts';

/** A port of the settings. */
export interface WantedPort {
  /** The service that listens there, for people: `RADIUS authentication (UDP)`. */
  purpose: string;
  /** The name of the setting. */
  setting: string;
  host: string;
  port: number;
}

export interface PortRules {
  /** Whether a taken port is an error; otherwise the next nine and then any free one are tried. */
  strict: boolean;
  log: Log;
}

/** @throws UnusableSettings that names port and setting when the port is not available */
export const listenNear = async <T>(
  wanted: WantedPort,
  { strict, log }: PortRules,
  listen: (port: number) => Promise<T>,
): Promise<T> => {
  const candidates =
    strict || wanted.port === 0
      ? [wanted.port]
      : [...Array.from({ length: 10 }, (_, index) => wanted.port + index), 0];
  for (const port of candidates) {
    try {
      const listening = await listen(port);
      if (port !== wanted.port)
        log.warn({ purpose: wanted.purpose, wanted: wanted.port }, 'the port is in use; using another one');
      return listening;
    } catch (error) {
      if (wordsOf(error) === undefined) throw error;
      if (port === candidates.at(-1)) throw unusable(wanted, error);
    }
  }
  throw new Error('No port to listen on');
};

const words: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'cannot be opened by this user',
  EADDRNOTAVAIL: 'cannot be opened: the address does not belong to this machine',
  ENOTFOUND: 'cannot be opened: the address is unknown',
};

const wordsOf = (error: unknown): string | undefined => words[String((error as NodeJS.ErrnoException).code)];

const unusable = ({ purpose, setting, host, port }: WantedPort, error: unknown): UnusableSettings =>
  new UnusableSettings(
    `Port ${port} of ${host} for ${purpose} ${wordsOf(error)}. Free it, or set ${setting} to another one.`,
  );
