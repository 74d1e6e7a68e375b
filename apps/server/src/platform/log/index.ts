export { createLog, type Log, type LogOptions, maskSecrets, takeOverOutput } from './log.ts';
export { type Seldom, seldom } from './seldom.ts';
