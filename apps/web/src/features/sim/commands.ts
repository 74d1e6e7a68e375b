/** What the command palette needs about SIMs before their screens are loaded. */
export { allowedOperations, type Operation, suits } from './operations/operation.ts';
export { searchOfFilter } from './search.ts';
