export { type Credentials, enter } from './enter.ts';
export { SignInForm } from './sign-in-form.tsx';
