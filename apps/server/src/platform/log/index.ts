import { pino } from 'pino';

/** Keys that are masked wherever they stand in a log record, three levels deep. */
const secretKeys = [
  'password',
  'oldPassword',
  'token',
  'token_hash',
  'secret',
  'code',
  'authorization',
  'cookie',
  'privateKey',
  'password_hash',
];
const redacted = secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

export interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
}

/** Structured log to standard output; secrets are masked, not left out, so that their presence shows. */
export const createLog = (options: LogOptions) =>
  pino({
    level: options.level,
    base: null,
    redact: { paths: redacted, censor: '[masked]' },
    ...(options.format === 'pretty' && {
      transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  });

export type Log = ReturnType<typeof createLog>;
