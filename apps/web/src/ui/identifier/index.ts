export { Identifier, type IdentifierProps } from './identifier.tsx';
