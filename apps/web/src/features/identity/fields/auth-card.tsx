import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import styles from './fields.module.css';

interface AuthCardProps {
  title: string;
  subtitle?: ReactNode;
  /** The result of the previous step, announced once. */
  notice?: string | null;
  /** With `onSubmit` the card is a form. */
  onSubmit?: (event: FormEvent) => void;
  formRef?: RefObject<HTMLFormElement | null>;
  busy?: boolean;
  /** A different step from the one before: its title gets the focus, where a screen reader continues. */
  arrival?: boolean;
  children?: ReactNode;
}

/** One step on the sign-in pages: title, instructions, and one main action. */
export const AuthCard = ({
  title,
  subtitle,
  notice,
  busy = false,
  arrival = false,
  children,
  ...form
}: AuthCardProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrival) heading.current?.focus();
  }, [arrival]);
  const content = (
    <>
      <div className={styles['head']}>
        <h1 ref={heading} className={styles['title']} tabIndex={-1}>
          {title}
        </h1>
        {subtitle ? <p className={styles['subtitle']}>{subtitle}</p> : null}
      </div>
      {notice ? (
        <p role="status" className={styles['notice']}>
          {notice}
        </p>
      ) : null}
      {children}
    </>
  );
  const { onSubmit } = form;
  if (!onSubmit) return <section className={styles['card']}>{content}</section>;
  // While it is being sent, nothing else is, however often the person clicks.
  const submit = (event: FormEvent): void => (busy ? event.preventDefault() : onSubmit(event));
  return (
    // Our own messages are shown at the fields, in the person's language; the browser's would cover them.
    <form ref={form.formRef} className={styles['card']} onSubmit={submit} noValidate aria-busy={busy}>
      {content}
    </form>
  );
};

/** An error that concerns the whole attempt. */
export const FormProblem = ({ children }: { children: string | undefined }) =>
  children === undefined ? null : (
    <p role="alert" className={styles['failure']}>
      {children}
    </p>
  );

export const Submit = ({ sending, children }: { sending: boolean; children: ReactNode }) => (
  // `disabled` would drop the focus; the form itself prevents sending twice.
  <button type="submit" className={styles['submit']} aria-disabled={sending}>
    {children}
  </button>
);

interface TextButtonProps {
  onClick: () => void;
  disabled?: boolean;
  /** As wide and tall as the main action above it. */
  wide?: boolean;
  children: ReactNode;
}

export const TextButton = ({ onClick, disabled = false, wide = false, children }: TextButtonProps) => (
  <button
    type="button"
    className={wide ? styles['second'] : styles['textButton']}
    disabled={disabled}
    onClick={onClick}
  >
    {children}
  </button>
);
