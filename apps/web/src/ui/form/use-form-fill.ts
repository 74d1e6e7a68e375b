import { Form as AntForm } from 'antd';
import type { FormValues } from './issue-context.ts';

/** Sets values in the surrounding form as if they had been typed. */
export const useFormFill = (): ((values: FormValues) => void) => {
  const form = AntForm.useFormInstance<FormValues>();
  return (values) => {
    form.setFieldsValue(values);
    form.validateFields(Object.keys(values)).catch(() => undefined);
  };
};

/** The current value of one field of the surrounding form. */
export const useFormValue = (name: string): unknown => AntForm.useWatch(name, AntForm.useFormInstance());
