export * from './cost.ts';
export * from './schemas.ts';
