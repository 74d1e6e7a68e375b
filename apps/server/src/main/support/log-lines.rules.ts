import { scrubText } from './scrub.rules.ts';

/** Fields of a record that say what happened but not to whom; all others are left out. */
const textFields = ['part', 'job', 'consumer', 'topic', 'kind', 'trouble', 'endpoint', 'version', 'signal'];
const numberFields = [
  ...['level', 'time', 'pid', 'attempt', 'attempts', 'count', 'statusCode', 'responseTime'],
  ...['retryInMs', 'waiting', 'parts', 'trimmed', 'turned', 'closed', 'dropped', 'jobId'],
];

export interface SafeLog {
  lines: string[];
  /** Lines that are not JSON records: their contents are unknown. */
  leftOut: number;
}

/** @param names directories of this machine and their replacements. @returns the parts of a log that may be passed on */
export const safeLines = (log: readonly string[], names: Readonly<Record<string, string>> = {}): SafeLog => {
  const clean = (text: string) => scrubText(text, names);
  const lines = log.flatMap((line) => {
    const record = recordOf(line);
    return record === undefined ? [] : [JSON.stringify(safeRecord(record, clean))];
  });
  return { lines, leftOut: log.length - lines.length };
};

type LogRecord = Readonly<Record<string, unknown>>;

const recordOf = (line: string): LogRecord | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as LogRecord)
      : undefined;
  } catch {
    return undefined;
  }
};

type Clean = (text: string) => string;

const safeRecord = (record: LogRecord, clean: Clean): LogRecord => {
  const { msg, err } = record;
  // Output of libraries and scripts may contain their input; our own messages are fixed sentences.
  const isOwnMessage = record['console'] !== true && record['worker'] !== true;
  return {
    ...pick(record, numberFields, (value) => (typeof value === 'number' ? value : undefined)),
    ...pick(record, textFields, (value) => (typeof value === 'string' ? clean(value) : undefined)),
    ...(typeof msg === 'string' && { msg: isOwnMessage ? clean(msg) : '[text of a library]' }),
    ...(typeof err === 'object' && err !== null && { err: safeError(err as LogRecord, clean) }),
  };
};

const pick = (record: LogRecord, names: readonly string[], safe: (value: unknown) => unknown): LogRecord =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = safe(record[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** An error without its message, which may contain data: only its type and where it was thrown. */
const safeError = ({ type, code, stack }: LogRecord, clean: Clean): LogRecord => ({
  ...(typeof type === 'string' && { type: clean(type) }),
  ...(typeof code === 'string' && { code: clean(code) }),
  ...(typeof stack === 'string' && { at: framesOf(stack, clean) }),
});

const maxFrames = 12;

/** `function file:line:column`, without the directories of this machine. */
const framesOf = (stack: string, clean: Clean): string[] =>
  stack
    .split('\n')
    .flatMap((line) => {
      const [, name, place] = /^\s+at (?:(.+) \()?(?:.*[/\\])?([^/\\]+:\d+:\d+)\)?$/.exec(line) ?? [];
      return place === undefined ? [] : [clean(name === undefined ? place : `${name} ${place}`)];
    })
    .slice(0, maxFrames);
