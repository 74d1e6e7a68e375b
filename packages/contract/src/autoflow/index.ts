export * from './count.ts';
export * from './judging.ts';
export * from './rule.ts';
export * from './schemas.ts';
export * from './trying.ts';
