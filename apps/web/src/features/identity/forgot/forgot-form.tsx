import { endpoints, limits } from '@simcube/contract';
import { emailSchema } from '@simcube/contract/identity';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../../lib/api-client/index.ts';
import { AuthCard, FormProblem, Submit, TextButton, TextField } from '../fields/index.ts';
import { messageOfCode, type Problems, problemsOf, validationProblems } from '../problems.ts';
import { usePublicForm } from '../use-public-form.ts';

const schema = z.object({ email: emailSchema });

const validate = ({ email }: { email: string }): Problems<'email'> =>
  email.trim() === '' ? { email: messageOfCode('CB-07-0002') } : validationProblems(schema, { email });

interface ForgotFormProps {
  email: string;
  onBack: (email: string) => void;
}

/** Asks for the address, and shows the same message whether it is known or not. */
export const ForgotForm = ({ email, onBack }: ForgotFormProps) => {
  const { t } = useTranslation();
  const [sent, setSent] = useState<string | null>(null);
  const { values, change, problems, sending, submit, formRef } = usePublicForm({
    initial: { email },
    validate,
    send: async (form) => {
      const address = schema.parse(form).email;
      await call(endpoints.identity.sendPasswordReset, { headers: { email: address }, announce: false });
      setSent(address);
      return null;
    },
    mapFailure: (failure) => problemsOf(failure, { fields: ['email'], codes: { 'CB-07-0002': 'email' } }),
  });
  const back = (
    <TextButton onClick={() => onBack(values.email)}>{t('identity.login.backToSignIn')}</TextButton>
  );
  if (sent !== null) {
    const facts = { email: sent, minutes: limits.passwordResetMinutes };
    return (
      <AuthCard
        key="sent"
        arrival
        title={t('identity.forgot.sentTitle')}
        subtitle={t('identity.forgot.sentText', facts)}
      >
        <p>{t('identity.forgot.sentHint')}</p>
        {back}
      </AuthCard>
    );
  }
  return (
    <AuthCard
      arrival
      title={t('identity.forgot.title')}
      subtitle={t('identity.forgot.subtitle')}
      onSubmit={submit}
      formRef={formRef}
      busy={sending}
    >
      <TextField
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        label={t('identity.login.email')}
        placeholder={t('identity.login.emailPlaceholder')}
        value={values.email}
        problem={problems.email}
        onChange={(next) => change({ email: next })}
      />
      <FormProblem>{problems.form}</FormProblem>
      <Submit sending={sending}>
        {t(sending ? 'identity.forgot.submitting' : 'identity.forgot.submit')}
      </Submit>
      {back}
    </AuthCard>
  );
};
