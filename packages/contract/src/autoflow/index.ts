export * from './analysis.ts';
export * from './count.ts';
export * from './rule.ts';
export * from './schemas.ts';
export * from './trial.ts';
