export * from './events.ts';
export * from './schemas.ts';
export * from './summaries.ts';
