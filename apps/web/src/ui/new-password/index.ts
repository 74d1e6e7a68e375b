export { NewPassword, type NewPasswordProps } from './new-password.tsx';
