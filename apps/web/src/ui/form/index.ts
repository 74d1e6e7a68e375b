export { Form, type FormProps } from './form.tsx';
export { FormField, type FormFieldProps } from './form-field.tsx';
