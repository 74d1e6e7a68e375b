export { FoundIdentifier, Identifier, type IdentifierProps } from './identifier.tsx';
