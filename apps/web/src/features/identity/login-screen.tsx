import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { PublicFrame } from '../public/index.ts';
import { PasswordField, TextField } from './login-fields.tsx';
import styles from './login-screen.module.css';
import { findMissing, type SignInForm, type SignInProblems, signIn } from './sign-in.ts';

const empty: SignInForm = { email: '', password: '', code: '', agreement: false };

export const LoginScreen = () => {
  const { t } = useTranslation();
  const { form, change, problems, codeWanted, sending, submit, formRef } = useSignIn();
  return (
    <PublicFrame>
      {/* Our own messages stand at the fields, in the person's language; the browser's would cover them. */}
      <form ref={formRef} className={styles['card']} onSubmit={submit} noValidate aria-busy={sending}>
        <h1 className={styles['title']}>{t('identity.login.title')}</h1>
        <p className={styles['subtitle']}>{t('identity.login.subtitle')}</p>
        <TextField
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          label={t('identity.login.email')}
          placeholder={t('identity.login.emailPlaceholder')}
          value={form.email}
          problem={problems.email}
          onChange={(email) => change({ email })}
        />
        <PasswordField
          value={form.password}
          problem={problems.password}
          onChange={(password) => change({ password })}
        />
        {codeWanted ? (
          <TextField
            name="code"
            type="text"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={10}
            label={t('identity.login.code')}
            hint={t('identity.login.codeHint')}
            value={form.code}
            problem={problems.code}
            onChange={(code) => change({ code })}
          />
        ) : null}
        <Agreement
          checked={form.agreement}
          problem={problems.agreement}
          onChange={(agreement) => change({ agreement })}
        />
        {problems.form === undefined ? null : (
          <p role="alert" className={styles['failure']}>
            {problems.form}
          </p>
        )}
        <button type="submit" className={styles['submit']} disabled={sending}>
          {t(sending ? 'identity.login.submitting' : 'identity.login.submit')}
        </button>
      </form>
    </PublicFrame>
  );
};

const useSignIn = () => {
  const router = useRouter();
  const [form, setForm] = useState(empty);
  const [problems, setProblems] = useState<SignInProblems>({});
  const [codeWanted, setCodeWanted] = useState(false);
  const [sending, setSending] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);

  // The first field with a problem gets the focus, so that keyboard and screen reader are where the work is.
  useEffect(() => {
    if (Object.keys(problems).length > 0) {
      formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [problems]);

  const change = (next: Partial<SignInForm>): void => setForm((before) => ({ ...before, ...next }));

  const send = async (): Promise<void> => {
    setSending(true);
    try {
      const found = await signIn(form, codeWanted);
      // The guard of this very route knows where to go on: the way remembered, the last menu entry, or the root.
      if (found === null) return await router.invalidate();
      if (found.code !== undefined) setCodeWanted(true);
      setProblems(found);
    } finally {
      setSending(false);
    }
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = findMissing(form, codeWanted);
    setProblems(found);
    if (Object.keys(found).length === 0) void send();
  };

  return { form, change, problems, codeWanted, sending, submit, formRef };
};

interface AgreementProps {
  checked: boolean;
  problem: string | undefined;
  onChange: (checked: boolean) => void;
}

const Agreement = ({ checked, problem, onChange }: AgreementProps) => {
  const id = useId();
  const language = useLanguage();
  const link = (path: string) => (
    // biome-ignore lint/a11y/useAnchorContent: Trans puts the words of the phrase inside.
    <a href={`/${language}/${path}`} target="_blank" rel="noreferrer" />
  );
  return (
    <div className={styles['agreement']}>
      <input
        id={id}
        name="agreement"
        type="checkbox"
        checked={checked}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>
        <Trans
          i18nKey="identity.login.agreement"
          components={{ terms: link('termsOfUse'), privacy: link('privacy') }}
        />
      </label>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
};
