export * from './estimate.ts';
export { ibanShown } from './iban.ts';
export * from './offers.ts';
export * from './schemas.ts';
