import { endpoints } from '@simcube/contract';
import { resetPasswordBodySchema } from '@simcube/contract/identity';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, call } from '../../../lib/api-client/index.ts';
import { translate } from '../../../lib/language/index.ts';
import { session } from '../../../lib/session/index.ts';
import { AuthCard, FormProblem, NewPasswordFields, Submit, TextButton } from '../fields/index.ts';
import { type Problems, problemsOf, validationProblems } from '../problems.ts';
import { usePublicForm } from '../use-public-form.ts';

const schema = resetPasswordBodySchema.pick({ password: true });
const fields = ['password', 'confirm'] as const;
type Values = Record<(typeof fields)[number], string>;

const validate = ({ password, confirm }: Values): Problems<keyof Values> => ({
  ...validationProblems(schema, { password }),
  ...(password === confirm ? {} : { confirm: translate('identity.password.different') }),
});

interface ResetFormProps {
  token: string;
  email: string;
  onDone: () => void;
  onAgain: () => void;
  onBack: () => void;
}

/** Sets a new password with the token from an email. Also signs that person out here, as everywhere. */
export const ResetForm = ({ token, email, onDone, onAgain, onBack }: ResetFormProps) => {
  const { t } = useTranslation();
  const [invalid, setInvalid] = useState(false);
  const { values, change, problems, sending, submit, formRef } = usePublicForm<Values>({
    initial: { password: '', confirm: '' },
    validate,
    send: async ({ password }) => {
      try {
        await call(endpoints.identity.resetPassword, {
          headers: { email },
          body: { token, password },
          announce: false,
        });
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.code !== 'CB-07-0013') throw error;
        setInvalid(true);
        return null;
      }
      // Another person who is signed in here keeps their session.
      if (session.get('userEmail')?.toLowerCase() === email.toLowerCase()) session.leave();
      onDone();
      return null;
    },
    mapFailure: (failure) => problemsOf(failure, { fields, codes: {} }),
  });
  const back = <TextButton onClick={onBack}>{t('identity.login.backToSignIn')}</TextButton>;
  if (invalid) {
    return (
      <AuthCard arrival title={t('identity.reset.invalidTitle')} subtitle={t('identity.reset.invalidText')}>
        <TextButton wide onClick={onAgain}>
          {t('identity.reset.again')}
        </TextButton>
        {back}
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title={t('identity.reset.title')}
      subtitle={t('identity.reset.subtitle', { email })}
      onSubmit={submit}
      formRef={formRef}
      busy={sending}
    >
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields values={values} problems={problems} onChange={change} />
      <FormProblem>{problems.form}</FormProblem>
      <Submit sending={sending}>{t(sending ? 'identity.reset.submitting' : 'identity.reset.submit')}</Submit>
      {back}
    </AuthCard>
  );
};
