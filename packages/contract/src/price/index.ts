export * from './cost.ts';
export * from './minor-digits.ts';
export * from './schemas.ts';
