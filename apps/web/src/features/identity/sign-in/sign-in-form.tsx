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
  /** Known in advance: from a reset or an invitation. */
  email?: string;
  /** The account is given: only the password is requested. */
  fixed?: boolean;
  title?: string;
  subtitle?: ReactNode;
  notice?: string | null;
  action?: string;
  /** Above the fields. */
  children?: ReactNode;
  /** Signs in; rejects with the server's error. Direct sign-in by default. */
  signIn?: (credentials: Credentials) => Promise<void>;
  onSignedIn: () => void;
  onForgot: (email: string) => void;
}

/** The password step and, if requested, the step with the one-time code. */
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
        // Password managers need to know the account.
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
