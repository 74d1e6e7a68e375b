import { Form as AntForm } from 'antd';
import type { FormValues } from './issue-context.ts';

/** Puts values into the form around, as if they had been typed. */
export const useFormFill = (): ((values: FormValues) => void) => {
  const form = AntForm.useFormInstance<FormValues>();
  return (values) => {
    form.setFieldsValue(values);
    form.validateFields(Object.keys(values)).catch(() => undefined);
  };
};

/** The value of one field of the form around, as it is typed. */
export const useFormValue = (name: string): unknown => AntForm.useWatch(name, AntForm.useFormInstance());
