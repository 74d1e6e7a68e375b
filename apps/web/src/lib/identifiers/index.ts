export { splitIdentifiers } from './split-identifiers.ts';
