import { type ErrorCode, toInputIssues } from '@simcube/contract';
import { Form as AntForm, Button } from 'antd';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { type ApiFailure, explanationOf } from '../../lib/api-client/index.ts';
import { type SubmitOptions, useSubmit } from '../../lib/submit/index.ts';
import { Cancel } from '../dialog/index.ts';
import { Refusal } from '../failure/index.ts';
import { isFocusLost } from '../focus/index.ts';
import { useDraft } from '../unsaved/index.ts';
import styles from './form.module.css';
import { type FormValues, IssueContext } from './issue-context.ts';
import { sameValues } from './same-values.ts';
import { isAtField, issuesOfServer, itemAt } from './server-issues.ts';

export interface FormProps<S extends z.ZodObject, R = unknown> extends Pick<SubmitOptions<R>, 'onDone'> {
  /** A `pick` of the request's schema: the form rejects what the server would. */
  schema: S;
  /** The values that the server has. When they change, unmodified fields follow; typed input stays. */
  initial?: Partial<z.input<S>>;
  /** Sends the values and updates the data; rejects with the server's error, whose issues are shown at their fields. */
  onSubmit: (values: z.output<S>) => Promise<R> | R;
  /** Error codes that concern one field, shown at that field. */
  codes?: Partial<Record<ErrorCode, keyof S['shape'] & string>>;
  /** The verb on the button. */
  action: string;
  /** The action can't be undone: the form is a confirmation, which may be closed without asking. */
  danger?: boolean;
  onCancel?: () => void;
  /** `FormField`s. */
  children: ReactNode;
}

/**
 * Validates as the server does, shows errors at the fields, and is disabled while it sends. Leaving it with unsent changes asks
 * for confirmation.
 */
export const Form = <S extends z.ZodObject, R = unknown>({
  schema,
  initial,
  onSubmit,
  onDone,
  codes = {},
  action,
  danger = false,
  onCancel,
  children,
}: FormProps<S, R>) => {
  const { t } = useTranslation();
  const [form] = AntForm.useForm<FormValues>();
  const { sending, refusal, submit } = useSubmit({ onDone });
  /** The values that the server has; undefined while a request is running, as an accepted form may be left immediately. */
  const saved = useRef<FormValues | undefined>(initial ?? {});
  useDraft(() => !danger && saved.current !== undefined && !sameValues(saved.current, form.getFieldsValue()));

  const initialJson = JSON.stringify(initial ?? {});
  const appliedJson = useRef(initialJson);
  const applyInitial = useEffectEvent((json: string) => {
    const previous = saved.current;
    if (previous === undefined || json === appliedJson.current) return;
    const next: FormValues = initial ?? {};
    appliedJson.current = json;
    saved.current = next;
    const untouched = Object.entries(form.getFieldsValue()).filter(([name, value]) =>
      sameValues(previous, { [name]: value }),
    );
    form.setFieldsValue(Object.fromEntries(untouched.map(([name]) => [name, next[name]])));
  });
  // Values that arrived while a request was running are applied after it.
  useEffect(() => {
    if (!sending) applyInitial(initialJson);
  }, [initialJson, sending]);

  /** Initial values may contain more than the form's fields: the request's schema does not know the others. */
  const fieldsOf = (values: FormValues): FormValues =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in schema.shape));

  const issueAt = (path: string, values: FormValues): string | undefined => {
    const issue = schema
      .safeParse(fieldsOf(values))
      .error?.issues.find((one) => isAtField(one.path.join('.'), path));
    const [found] = issue ? toInputIssues(issue) : [];
    if (!issue || !found) return undefined;
    const { key, values: params } = found;
    // A rule over several fields has its own message.
    const isOwnMessage = issue.code === 'custom' && issue.message !== key;
    return withItem(
      isOwnMessage ? issue.message : t(`errors.issues.${key}`, { ...params }),
      itemAt(values, issue.path),
    );
  };

  /** An error in one of a field's values names that value. */
  const withItem = (message: string, item: string | undefined): string =>
    item === undefined ? message : t('kit.form.ofItem', { item, message });

  /** Shows the server's issues at their fields. @returns what concerns no field */
  const showIssues = (failure: ApiFailure, values: FormValues): string | undefined => {
    const { fields, rest } = issuesOfServer(failure, { names: Object.keys(schema.shape), codes });
    form.setFields(
      fields.map(({ field, path, message }) => ({
        name: field,
        errors: [withItem(message, itemAt(values, path.split('.')))],
      })),
    );
    const first = fields[0]?.field;
    // After the form is enabled again: disabled fields can't be focused.
    if (first) setTimeout(() => form.focusField(first));
    return rest[0]?.message ?? (fields.length === 0 ? explanationOf(failure) : undefined);
  };

  const sendValues = async (values: FormValues): Promise<void> => {
    const { activeElement: focused } = document;
    await submit(
      async () => {
        const previous = saved.current;
        saved.current = undefined;
        try {
          const result = await onSubmit(schema.parse(values));
          saved.current = values;
          return result;
        } catch (error) {
          saved.current = previous;
          throw error;
        }
      },
      (failure) => showIssues(failure, values),
    );
    // Disabled fields lose the focus: it is restored.
    setTimeout(() => {
      if (isFocusLost(document.activeElement) && focused instanceof HTMLElement) focused.focus();
    });
  };

  return (
    <IssueContext value={issueAt}>
      <AntForm<FormValues>
        disabled={sending}
        form={form}
        {...(initial ? { initialValues: initial } : {})}
        layout="vertical"
        onFinish={(values) => {
          void sendValues(values);
        }}
        requiredMark={false}
        scrollToFirstError={{ focus: true }}
        validateTrigger={['onBlur', 'onSubmit']}
      >
        {children}
        {refusal === undefined ? null : (
          <div className={styles['refusal']}>
            <Refusal reason={refusal} />
          </div>
        )}
        <div className={styles['actions']}>
          {onCancel ? <Cancel onCancel={onCancel} /> : null}
          <Button danger={danger} htmlType="submit" loading={sending} type="primary">
            {action}
          </Button>
        </div>
      </AntForm>
    </IssueContext>
  );
};
