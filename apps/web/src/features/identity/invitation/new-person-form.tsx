import { endpoints } from '@simcube/contract';
import { acceptBodySchema, type Invitation } from '@simcube/contract/identity';
import { useTranslation } from 'react-i18next';
import { ApiFailure, call } from '../../../lib/api-client/index.ts';
import { translate } from '../../../lib/language/index.ts';
import { Agreement, AuthCard, FormProblem, NewPasswordFields, Submit, TextField } from '../fields/index.ts';
import { messageOfCode, type Problems, problemsOf, validationProblems } from '../problems.ts';
import { signInDirect } from '../sign-in/enter.ts';
import { usePublicForm } from '../use-public-form.ts';
import styles from './invitation.module.css';
import { InvitationFacts } from './invitation-facts.tsx';
import type { InvitationPagesProps } from './invitation-pages-props.ts';

const personSchema = acceptBodySchema.shape.person.unwrap();
const fields = ['first_name', 'last_name', 'password', 'confirm', 'agreement'] as const;

interface Values {
  first_name: string;
  last_name: string;
  password: string;
  confirm: string;
  agreement: boolean;
}

const validate = ({ confirm, agreement, ...person }: Values): Problems<keyof Values> => ({
  ...validationProblems(personSchema, person),
  ...(confirm === person.password ? {} : { confirm: translate('identity.password.differentAtSignUp') }),
  ...(agreement ? {} : { agreement: messageOfCode('CB-07-0005') }),
});

type NewPersonFormProps = Omit<InvitationPagesProps, 'onForgot'> & { invitation: Invitation };

/** For a new person: names, password and agreement; signs in afterwards. */
export const NewPersonForm = ({ invitation, token, onEnter, onSignIn }: NewPersonFormProps) => {
  const { t } = useTranslation();
  const form = usePublicForm<Values>({
    initial: {
      first_name: invitation.first_name,
      last_name: invitation.last_name,
      password: '',
      confirm: '',
      agreement: false,
    },
    validate,
    send: async ({ confirm: _, agreement, ...person }) => {
      const body = { token, person, agreement };
      const { data } = await call(endpoints.identity.acceptInvitation, { body, announce: false });
      try {
        await signInDirect({ email: data.email, password: person.password, agreement, code: undefined });
      } catch (error) {
        // The account exists; if a code is required or the server was unavailable, the sign-in page handles it.
        if (!(error instanceof ApiFailure)) throw error;
        onSignIn(data.email, translate('identity.invitation.acceptedSignIn'));
        return null;
      }
      onEnter();
      return null;
    },
    mapFailure: (failure) => problemsOf(failure, { fields, codes: { 'CB-07-0005': 'agreement' } }),
  });
  const { values, change, problems, sending, submit, formRef } = form;
  return (
    <AuthCard
      title={t('identity.invitation.title')}
      subtitle={t('identity.invitation.newPerson')}
      onSubmit={submit}
      formRef={formRef}
      busy={sending}
    >
      <InvitationFacts invitation={invitation} />
      <input type="email" name="email" autoComplete="username" value={invitation.email} readOnly hidden />
      <div className={styles['names']}>
        <TextField
          name="given-name"
          type="text"
          autoComplete="given-name"
          label={t('identity.invitation.firstName')}
          value={values.first_name}
          problem={problems.first_name}
          onChange={(first_name) => change({ first_name })}
        />
        <TextField
          name="family-name"
          type="text"
          autoComplete="family-name"
          label={t('identity.invitation.lastName')}
          value={values.last_name}
          problem={problems.last_name}
          onChange={(last_name) => change({ last_name })}
        />
      </div>
      <NewPasswordFields values={values} problems={problems} onChange={change} />
      <Agreement
        checked={values.agreement}
        problem={problems.agreement}
        onChange={(agreement) => change({ agreement })}
      />
      <FormProblem>{problems.form}</FormProblem>
      <Submit sending={sending}>
        {t(sending ? 'identity.invitation.accepting' : 'identity.invitation.acceptNew')}
      </Submit>
    </AuthCard>
  );
};
