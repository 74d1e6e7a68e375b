export { ForgotForm } from './forgot-form.tsx';
