export { createLog, type Log, type LogOptions, maskSecrets, redirectOutput } from './log.ts';
export { createRateLimitedLog, type RateLimitedLog } from './rate-limited-log.ts';
