export { PasswordGenerator } from './password-generator.tsx';
