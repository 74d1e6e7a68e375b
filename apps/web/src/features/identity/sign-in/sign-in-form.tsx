import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  Agreement,
  AuthCard,
  FormProblem,
  PasswordField,
  Submit,
  TextButton,
  TextField,
} from '../fields/index.ts';
import { CodeStep } from './code-step.tsx';
import { type Credentials, signInDirect } from './enter.ts';
import { type CredentialSteps, useCredentials } from './use-credentials.ts';

interface SignInFormProps {
  /** Known before: from a reset or an invitation. */
  email?: string;
  /** Whose it is stands fixed already: only the password is asked for. */
  fixed?: boolean;
  title?: string;
  subtitle?: ReactNode;
  notice?: string | null;
  action?: string;
  /** Above the fields. */
  children?: ReactNode;
  /** Signs in; rejects with what the server answered. Directly, unless said otherwise. */
  signIn?: (credentials: Credentials) => Promise<void>;
  onSignedIn: () => void;
  onForgot: (email: string) => void;
}

/** The password step and, when it is asked for, the step of the one-time code. */
export const SignInForm = (props: SignInFormProps) => {
  const { email = '', signIn = signInDirect, onSignedIn } = props;
  const steps = useCredentials(email, async (credentials) => {
    await signIn(credentials);
    onSignedIn();
  });
  return steps.step === 'code' ? <CodeStep {...steps} /> : <CredentialsStep {...props} steps={steps} />;
};

const CredentialsStep = ({
  fixed = false,
  title,
  subtitle,
  notice = null,
  action,
  children,
  onForgot,
  steps,
}: SignInFormProps & { steps: CredentialSteps }) => {
  const { t } = useTranslation();
  const { values, change, problems, sending, submit, formRef } = steps;
  return (
    <AuthCard
      title={title ?? t('identity.login.title')}
      subtitle={subtitle ?? t('identity.login.subtitle')}
      notice={notice}
      onSubmit={submit}
      formRef={formRef}
      busy={sending}
    >
      {children}
      {fixed ? (
        // Password managers need to know whose password it is.
        <input type="email" name="email" autoComplete="username" value={values.email} readOnly hidden />
      ) : (
        <TextField
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          maxLength={254}
          label={t('identity.login.email')}
          placeholder={t('identity.login.emailPlaceholder')}
          value={values.email}
          problem={problems.email}
          onChange={(email) => change({ email })}
        />
      )}
      <PasswordField
        value={values.password}
        problem={problems.password}
        aside={<TextButton onClick={() => onForgot(values.email)}>{t('identity.login.forgot')}</TextButton>}
        onChange={(password) => change({ password })}
      />
      <Agreement
        checked={values.agreement}
        problem={problems.agreement}
        onChange={(agreement) => change({ agreement })}
      />
      <FormProblem>{problems.form}</FormProblem>
      <Submit sending={sending}>
        {sending ? t('identity.login.submitting') : (action ?? t('identity.login.submit'))}
      </Submit>
    </AuthCard>
  );
};
