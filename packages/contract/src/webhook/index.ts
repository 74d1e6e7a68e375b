export * from './events.ts';
export * from './schemas.ts';
