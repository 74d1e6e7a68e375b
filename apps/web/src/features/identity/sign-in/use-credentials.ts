import type { ErrorCode } from '@simcube/contract';
import { emailSchema } from '@simcube/contract/identity';
import { useState } from 'react';
import type { ApiFailure } from '../../../lib/api-client/index.ts';
import { messageOfCode, type Problems, problemsOf } from '../problems.ts';
import { type PublicForm, usePublicForm } from '../use-public-form.ts';
import type { Credentials } from './enter.ts';

type Field = keyof Credentials;
export type CredentialsForm = Omit<Credentials, 'code'> & { code: string };

/** The message of each missing field (specification, section 8), and other errors about one field. */
const missingIssues = {
  email: 'CB-07-0002',
  password: 'CB-07-0003',
  code: 'CB-07-0004',
  agreement: 'CB-07-0005',
} as const satisfies Record<Field, ErrorCode>;

const codes = {
  'CB-07-0002': 'email',
  'CB-07-0003': 'password',
  'CB-07-0004': 'code',
  'CB-07-0005': 'agreement',
  'CB-07-0010': 'code',
  'CB-07-0040': 'code',
} as const satisfies Partial<Record<ErrorCode, Field>>;

const fields = Object.keys(missingIssues) as Field[];

const findMissing = (form: CredentialsForm, codeRequired: boolean): Problems<Field> => {
  const empty: Record<Field, boolean> = {
    email: form.email.trim() === '',
    password: form.password === '',
    code: codeRequired && form.code.trim() === '',
    agreement: !form.agreement,
  };
  return Object.fromEntries(
    fields.filter((field) => empty[field]).map((field) => [field, messageOfCode(missingIssues[field])]),
  );
};

const clearCredentials = (form: HTMLFormElement | null): void => {
  const password = form?.querySelector<HTMLInputElement>('input[name="password"]');
  password?.focus();
  password?.select();
};

export interface CredentialSteps extends PublicForm<CredentialsForm> {
  step: 'credentials' | 'code';
  back: () => void;
}

/**
 * Email, password and agreement; then, if the server asks for it, the one-time code. The sign-in succeeds only if everything is
 * correct, so the second step sends the first one's fields again.
 */
export const useCredentials = (
  email: string,
  signIn: (credentials: Credentials) => Promise<void>,
): CredentialSteps => {
  const [step, setStep] = useState<CredentialSteps['step']>('credentials');
  const mapFailure = (failure: ApiFailure): Problems<Field> => {
    if (failure.code === 'CB-07-0004' && step === 'credentials') {
      setStep('code');
      return {};
    }
    // The server does not say which of the two is wrong; the password is not visible, so it must be typed again.
    if (failure.code === 'CB-07-0001') clearCredentials(form.formRef.current);
    return problemsOf(failure, { fields, codes });
  };
  const form = usePublicForm<CredentialsForm>({
    initial: { email, password: '', code: '', agreement: false },
    validate: (values) => findMissing(values, step === 'code'),
    send: async ({ code, ...values }) => {
      const cleaned = emailSchema.safeParse(values.email).data ?? values.email;
      await signIn({ ...values, email: cleaned, code: step === 'code' ? code.trim() : undefined });
      return null;
    },
    mapFailure,
  });
  const back = (): void => {
    setStep('credentials');
    form.change({ code: '' });
    form.setProblems({});
  };
  return { ...form, step, back };
};
