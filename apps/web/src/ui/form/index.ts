export { Form, type FormProps } from './form.tsx';
export { FormField, type FormFieldProps } from './form-field.tsx';
export { changedValues, sameValues } from './same-values.ts';
export { TextList, type TextListProps } from './text-list.tsx';
export { useFormFill, useFormValue } from './use-form-fill.ts';
export { useListProblem } from './use-list-problem.ts';
