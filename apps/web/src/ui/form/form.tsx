import { type ErrorCode, inputIssuesOf } from '@simcube/contract';
import { Form as AntForm, Button } from 'antd';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { ApiFailure, messageOf } from '../../lib/api-client/index.ts';
import { isNowhere } from '../focus/index.ts';
import { useDraft, useLeave } from '../unsaved/index.ts';
import styles from './form.module.css';
import { type FormValues, IssueContext } from './issue-context.ts';
import { sameValues } from './same-values.ts';
import { isAtField, issuesOfServer, itemAt } from './server-issues.ts';

export interface FormProps<S extends z.ZodObject> {
  /** A `pick` of the request's schema: the form refuses what the server would. */
  schema: S;
  /** What the server has. When that changes, fields in which nothing was changed follow; what was typed stays. */
  initial?: Partial<z.input<S>>;
  /** Rejects with what the server answered; its issues land at their fields. */
  onSubmit: (values: z.output<S>) => Promise<void> | void;
  /** Error codes that are about one field: they land there. */
  codes?: Partial<Record<ErrorCode, keyof S['shape'] & string>>;
  /** The verb on the button. */
  action: string;
  /** What it does can't be undone: it holds a confirmation, which may be lost unasked. */
  danger?: boolean;
  onCancel?: () => void;
  /** `FormField`s. */
  children: ReactNode;
}

/**
 * Validates as the server does, says what is wrong at the field, and is quiet while it sends. What is not sent yet is asked
 * about before it is left.
 */
export const Form = <S extends z.ZodObject>({
  schema,
  initial,
  onSubmit,
  codes = {},
  action,
  danger = false,
  onCancel,
  children,
}: FormProps<S>) => {
  const { t } = useTranslation();
  const [form] = AntForm.useForm<FormValues>();
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const leave = useLeave();
  /** What the server has; undefined while a request is sent, as an accepted form may leave right away. */
  const saved = useRef<FormValues | undefined>(initial ?? {});
  useDraft(() => !danger && saved.current !== undefined && !sameValues(saved.current, form.getFieldsValue()));

  const given = JSON.stringify(initial ?? {});
  const followed = useRef(given);
  const follow = useEffectEvent((now: string) => {
    const before = saved.current;
    if (before === undefined || now === followed.current) return;
    const next: FormValues = initial ?? {};
    followed.current = now;
    saved.current = next;
    const untouched = Object.entries(form.getFieldsValue()).filter(([name, value]) =>
      sameValues(before, { [name]: value }),
    );
    form.setFieldsValue(Object.fromEntries(untouched.map(([name]) => [name, next[name]])));
  });
  // What came while a request was sent is followed after it.
  useEffect(() => {
    if (!sending) follow(given);
  }, [given, sending]);

  /** What a form begins with may have more than its fields: the request's schema knows none of it. */
  const ownOf = (values: FormValues): FormValues =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in schema.shape));

  const issueAt = (path: string, values: FormValues): string | undefined => {
    const issue = schema
      .safeParse(ownOf(values))
      .error?.issues.find((one) => isAtField(one.path.join('.'), path));
    const [found] = issue ? inputIssuesOf(issue) : [];
    if (!issue || !found) return undefined;
    const { key, values: named } = found;
    // A rule over several fields brings its own words.
    const own = issue.code === 'custom' && issue.message !== key;
    return said(own ? issue.message : t(`errors.issues.${key}`, { ...named }), itemAt(values, issue.path));
  };

  /** What is wrong with one of a field's values names it. */
  const said = (message: string, item: string | undefined): string =>
    item === undefined ? message : t('kit.form.ofItem', { item, message });

  const submit = async (values: FormValues): Promise<void> => {
    setRefusal(undefined);
    setSending(true);
    const { activeElement: focused } = document;
    const before = saved.current;
    saved.current = undefined;
    try {
      await onSubmit(schema.parse(values));
      saved.current = values;
    } catch (error) {
      saved.current = before;
      if (!(error instanceof ApiFailure)) throw error;
      const { fields, rest } = issuesOfServer(error, { names: Object.keys(schema.shape), codes });
      form.setFields(
        fields.map(({ field, path, message }) => ({
          name: field,
          errors: [said(message, itemAt(values, path.split('.')))],
        })),
      );
      const first = fields[0]?.field;
      // After the form is enabled again: what is disabled takes no focus.
      if (first) setTimeout(() => form.focusField(first));
      if (fields.length === 0 || rest.length > 0) setRefusal(rest[0]?.message ?? messageOf(error));
    } finally {
      setSending(false);
      // Disabled fields lose the focus: it returns to where it was.
      setTimeout(() => {
        if (isNowhere(document.activeElement) && focused instanceof HTMLElement) focused.focus();
      });
    }
  };

  return (
    <IssueContext value={issueAt}>
      <AntForm<FormValues>
        disabled={sending}
        form={form}
        {...(initial ? { initialValues: initial } : {})}
        layout="vertical"
        onFinish={(values) => {
          submit(values).catch((error: unknown) => reportFailure(error));
        }}
        requiredMark={false}
        scrollToFirstError={{ focus: true }}
        validateTrigger={['onBlur', 'onSubmit']}
      >
        {children}
        {refusal ? (
          <p className={styles['refusal']} role="alert">
            {refusal}
          </p>
        ) : null}
        <div className={styles['actions']}>
          {onCancel ? <Button onClick={() => leave(onCancel)}>{t('common.actions.cancel')}</Button> : null}
          <Button danger={danger} htmlType="submit" loading={sending} type="primary">
            {action}
          </Button>
        </div>
      </AntForm>
    </IssueContext>
  );
};

/** What is not an answer of the server is a mistake of ours: it must reach the console, not vanish. */
const reportFailure = (error: unknown): void => console.error('form failed', error);
