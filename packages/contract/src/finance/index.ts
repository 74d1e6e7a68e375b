export { dueDay, issueDay } from './days.ts';
export * from './estimate.ts';
export { formatIban } from './iban.ts';
export * from './offers.ts';
export * from './schemas.ts';
