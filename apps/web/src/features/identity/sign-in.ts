import { type ErrorCode, endpoints, errors } from '@simcube/contract';
import type { PhraseKey } from '@simcube/phrases/load';
import { ApiFailure, call, forgetHandledFailures, messageOf } from '../../lib/api-client/index.ts';
import { translate } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';

type SignInField = 'email' | 'password' | 'code' | 'agreement';

export interface SignInForm {
  email: string;
  password: string;
  code: string;
  agreement: boolean;
}

/** What is wrong: at a field, or with the attempt as a whole. */
export type SignInProblems = Partial<Record<SignInField | 'form', string>>;

/** The message of each missing field (specification, section 8, *Authentication and account messages*). */
const missing: Record<SignInField, ErrorCode> = {
  email: 'CB-07-0002',
  password: 'CB-07-0003',
  code: 'CB-07-0004',
  agreement: 'CB-07-0005',
};

const phraseOf = (code: ErrorCode): PhraseKey => `errors.${errors[code].key}`;

export const findMissing = (form: SignInForm, codeWanted: boolean): SignInProblems => {
  const empty: Record<SignInField, boolean> = {
    email: form.email.trim() === '',
    password: form.password === '',
    code: codeWanted && form.code.trim() === '',
    agreement: !form.agreement,
  };
  return Object.fromEntries(
    (Object.keys(empty) as SignInField[])
      .filter((field) => empty[field])
      .map((field) => [field, translate(phraseOf(missing[field]))]),
  );
};

/** Signs in and stores what the answer says; null when it worked, else what to show where. */
export const signIn = async (form: SignInForm, codeWanted: boolean): Promise<SignInProblems | null> => {
  try {
    const { data } = await call(endpoints.identity.signIn, {
      body: {
        email: form.email,
        password: form.password,
        agreement: form.agreement,
        ...(codeWanted ? { code: form.code } : {}),
      },
      announce: false,
    });
    session.signIn(data);
    forgetHandledFailures();
    return null;
  } catch (error) {
    if (error instanceof ApiFailure) return problemsOf(error);
    throw error;
  }
};

const problemsOf = (failure: ApiFailure): SignInProblems => {
  const field = (Object.keys(missing) as SignInField[]).find((name) => missing[name] === failure.code);
  if (field) return { [field]: failure.message };
  const atFields = failure.issues.filter((issue) => Object.hasOwn(missing, issue.path));
  if (atFields.length > 0) {
    return Object.fromEntries(atFields.map((issue) => [issue.path, issue.message]));
  }
  return { form: messageOf(failure) };
};
