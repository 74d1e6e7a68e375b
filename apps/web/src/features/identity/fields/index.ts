export { Agreement } from './agreement.tsx';
export { AuthCard, FormProblem, Submit, TextButton } from './auth-card.tsx';
export { NewPasswordFields } from './new-password-fields.tsx';
export { PasswordField, TextField } from './text-field.tsx';
