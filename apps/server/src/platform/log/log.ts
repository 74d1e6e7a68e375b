import { format } from 'node:util';
import { pino } from 'pino';

const masked = '[masked]';

/** Keys that are masked anywhere in a log record, up to three levels deep. */
const secretKeys = [
  'password',
  'oldPassword',
  'passwordHash',
  'password_hash',
  'token',
  'tokenHash',
  'token_hash',
  'secret',
  'totpSecret',
  'totp_secret',
  'recoveryCodes',
  'recovery_codes',
  'codeHash',
  'code_hash',
  'sealed',
  'authorization',
  'cookie',
  'privateKey',
];
/** Names that are secret only in certain places: errors also have codes, and mails an address. */
const secretPlaces = [
  // A one-time code, in a sign-in or in a mail.
  'body.code',
  'values.code',
  // The authenticator secret as a URI.
  'data.uri',
  'uri',
  // The address of a forgotten password.
  'headers.email',
  // Contains the tokens of mailed links.
  'link',
  'fragment',
];
const redacted = [
  ...secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
  ...secretPlaces.flatMap((place) => [place, `*.${place}`]),
];

/** Masks everything that a log record would mask, at any depth. */
export const maskSecrets = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part) => (secretKeys.includes(key) ? masked : part)));

export interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
  /** Default: standard output. */
  destination?: { write(line: string): void };
}

/** The useful parts of an error. Drivers attach whole connections with their settings, so nothing else is copied. */
const errorForLog = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { type: name, message, stack, code };
};

/** Structured log to standard output; secrets are masked rather than left out, so that their presence is visible. */
export const createLog = ({ level, format, destination }: LogOptions) => {
  const settings = {
    level,
    base: null,
    serializers: { err: errorForLog },
    redact: { paths: redacted, censor: masked },
    ...(format === 'pretty' && {
      transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  };
  return destination ? pino(settings, destination) : pino(settings);
};

export type Log = ReturnType<typeof createLog>;

/**
 * Redirects everything else that would write to the output of the process into its log: output of libraries,
 * warnings of Node.js, uncaught errors. These still end the process.
 */
export const redirectOutput = (log: Log): void => {
  const logAt =
    (level: 'info' | 'warn' | 'error') =>
    (...args: unknown[]): void =>
      log[level]({ console: true }, format(...args));
  Object.assign(console, {
    debug: logAt('info'),
    log: logAt('info'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    trace: logAt('error'),
  });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warning'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
};
