import { Form as AntForm } from 'antd';
import { type ReactNode, use } from 'react';
import styles from './form.module.css';
import { type FormValues, IssueContext } from './issue-context.ts';

export interface FormFieldProps {
  /** The field's name in the form's schema. */
  name: string;
  label: string;
  hint?: ReactNode;
  /** Other fields whose change validates this one again: for rules over several fields. */
  dependsOn?: readonly string[];
  /** The control; it receives `value` and `onChange`. */
  children: ReactNode;
}

/** A labelled field whose rules come from the form's schema. */
export const FormField = ({ name, label, hint, dependsOn = [], children }: FormFieldProps) => {
  const issueAt = use(IssueContext);
  return (
    <AntForm.Item
      className={styles['field'] ?? ''}
      dependencies={[...dependsOn]}
      extra={hint}
      label={label}
      name={name}
      rules={[
        ({ getFieldsValue }) => ({
          validator: async () => {
            const issue = issueAt(name, getFieldsValue(true) as FormValues);
            if (issue) return await Promise.reject(new Error(issue));
          },
        }),
      ]}
    >
      {children}
    </AntForm.Item>
  );
};
