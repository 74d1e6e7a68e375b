import { pino } from 'pino';

/** Keys that are masked wherever they stand in a log record, three levels deep. */
const secretKeys = [
  'password',
  'oldPassword',
  'token',
  'token_hash',
  'secret',
  'authorization',
  'cookie',
  'privateKey',
  'password_hash',
];
/** A one-time code is only that in the body of a sign-in; errors have codes too. */
const oneTimeCodes = ['body.code', '*.body.code'];
const redacted = [...secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), ...oneTimeCodes];

export interface LogOptions {
  level: string;
  format: 'json' | 'pretty';
}

/** What helps of an error. Drivers hang whole connections, with their settings, on theirs: nothing else is taken along. */
const errorForLog = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { type: name, message, stack, code };
};

/** Structured log to standard output; secrets are masked, not left out, so that their presence shows. */
export const createLog = (options: LogOptions) =>
  pino({
    level: options.level,
    base: null,
    serializers: { err: errorForLog },
    redact: { paths: redacted, censor: '[masked]' },
    ...(options.format === 'pretty' && {
      transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  });

export type Log = ReturnType<typeof createLog>;
