/** What the command palette needs about SIMs before their screens are loaded. */
export { allowedOperations, appliesTo, type Operation, titleForOne } from './operations/operation.ts';
export { searchOfFilter } from './search.ts';
