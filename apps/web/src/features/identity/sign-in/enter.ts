import { endpoints } from '@simcube/contract';
import type { SignInResponse } from '@simcube/contract/identity';
import { call, forgetHandledFailures } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';

export interface Credentials {
  email: string;
  password: string;
  /** One-time or recovery code, if one was requested. */
  code: string | undefined;
  agreement: boolean;
}

/** Signs in with email and password. */
export const signInDirect = async ({ code, ...credentials }: Credentials): Promise<void> => {
  const { data } = await call(endpoints.identity.signIn, {
    body: { ...credentials, ...(code === undefined ? {} : { code }) },
    announce: false,
  });
  enter(data);
};

/** Stores the response of a sign-in; from now on the console is that person's. */
export const enter = (response: SignInResponse): void => {
  session.signIn(response);
  forgetHandledFailures();
};
