export { Form, type FormProps } from './form.tsx';
export { FormField, type FormFieldProps } from './form-field.tsx';
export { TextList, type TextListProps } from './text-list.tsx';
export { useFormFill, useFormValue } from './use-form-fill.ts';
