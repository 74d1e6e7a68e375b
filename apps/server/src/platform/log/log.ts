import { format } from 'node:util';
import { pino } from 'pino';

const masked = '[masked]';

/** Keys that are masked wherever they stand in a log record, three levels deep. */
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
/** Names that are secret in one place only: errors have codes too, and mails an address. */
const secretPlaces = [
  // A one-time code, in a sign-in or in a mail.
  'body.code',
  'values.code',
  // An authenticator's secret, as an address.
  'data.uri',
  'uri',
  // Whose password was forgotten.
  'headers.email',
  // The tokens of mailed links stand there.
  'link',
  'fragment',
];
const redacted = [
  ...secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
  ...secretPlaces.flatMap((place) => [place, `*.${place}`]),
];

/** A value with what a log record would mask masked, however deep. */
export const maskSecrets = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part) => (secretKeys.includes(key) ? masked : part)));

export interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
  /** Standard output when not said. */
  destination?: { write(line: string): void };
}

/** What helps of an error. Drivers hang whole connections, with their settings, on theirs: nothing else is taken along. */
const errorForLog = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { type: name, message, stack, code };
};

/** Structured log to standard output; secrets are masked, not left out, so that their presence shows. */
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
 * Whatever else would write to the output of the process goes to its log: what libraries print, warnings of Node.js,
 * uncaught errors. These end the process, as they would without this.
 */
export const takeOverOutput = (log: Log): void => {
  const from =
    (level: 'info' | 'warn' | 'error') =>
    (...args: unknown[]): void =>
      log[level]({ console: true }, format(...args));
  Object.assign(console, {
    debug: from('info'),
    log: from('info'),
    info: from('info'),
    warn: from('warn'),
    error: from('error'),
    trace: from('error'),
  });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warning'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
};
