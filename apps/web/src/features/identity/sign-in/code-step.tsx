import { useTranslation } from 'react-i18next';
import { AuthCard, FormProblem, Submit, TextButton, TextField } from '../fields/index.ts';
import styles from './code-step.module.css';
import type { CredentialSteps } from './use-credentials.ts';

/** Names all possible sources of a code: the server must not reveal how an account is protected. */
const sources = ['fromApp', 'fromMail', 'fromRecovery'] as const;
const longestCode = 20;

export const CodeStep = ({ values, change, problems, sending, submit, formRef, back }: CredentialSteps) => {
  const { t } = useTranslation();
  return (
    <AuthCard
      title={t('identity.code.title')}
      subtitle={t('identity.code.subtitle')}
      onSubmit={submit}
      formRef={formRef}
      busy={sending}
    >
      <TextField
        name="code"
        type="text"
        autoComplete="one-time-code"
        autoFocus
        maxLength={longestCode}
        label={t('identity.code.label')}
        value={values.code}
        problem={problems.code}
        onChange={(code) => change({ code })}
      />
      <ul className={styles['sources']}>
        {sources.map((source) => (
          <li key={source}>{t(`identity.code.${source}`)}</li>
        ))}
      </ul>
      <FormProblem>{problems.form ?? problems.email ?? problems.password ?? problems.agreement}</FormProblem>
      <Submit sending={sending}>{t(sending ? 'identity.code.submitting' : 'identity.code.submit')}</Submit>
      <TextButton onClick={back}>{t('identity.login.back')}</TextButton>
    </AuthCard>
  );
};
