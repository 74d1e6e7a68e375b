export { ibanShown } from './iban.ts';
export * from './schemas.ts';
