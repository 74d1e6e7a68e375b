export * from './schemas.ts';
export * from './span.ts';
