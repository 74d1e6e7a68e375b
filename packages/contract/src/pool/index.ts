export { poolIdSchema } from './access.ts';
export * from './schemas.ts';
