import { expect } from 'vitest';
import { callerFrom, outcomeOf, personPassword, type testIdentity, wrongPassword } from './identity.ts';

type Test = Awaited<ReturnType<typeof testIdentity>>;
type Person = Awaited<ReturnType<Test['makePerson']>>;

export interface SignInInput {
  email?: string;
  password?: string;
  code?: string;
  agreement?: boolean;
  address?: string;
}

export interface Attempts {
  person: Person;
  /** The network address of this person's attempts by default. */
  address: string;
  signIn(input?: SignInInput): ReturnType<Test['signIn']['signIn']>;
  /** The result code of a sign-in. */
  attempt(input?: SignInInput): ReturnType<typeof outcomeOf>;
  /** The same with a wrong password. */
  attemptWithWrongPassword(input?: SignInInput): ReturnType<typeof outcomeOf>;
  failTimes(times: number, input?: SignInInput): Promise<void>;
  mailedCode(): Promise<string>;
}

let networks = 0;

/** A new person's attempts to sign in, from a separate network. */
export const attemptsOf = async (test: Test): Promise<Attempts> => {
  networks += 1;
  const address = `2001:db8:0:${networks.toString(16)}::1`;
  const person = await test.makePerson();
  await test.mails();
  test.verified.length = 0;
  const signIn = ({ address: from = address, ...input }: SignInInput = {}) =>
    test.signIn.signIn({
      email: person.email,
      password: personPassword,
      agreement: true,
      actor: callerFrom(from),
      userAgent: 'Browser/1.0',
      ...input,
    });
  const attemptWithWrongPassword = (input: SignInInput = {}) =>
    outcomeOf(signIn({ password: wrongPassword, ...input }));
  return {
    person,
    address,
    signIn,
    attempt: (input = {}) => outcomeOf(signIn(input)),
    attemptWithWrongPassword,
    async failTimes(times, input) {
      for (let i = 0; i < times; i += 1) expect(await attemptWithWrongPassword(input)).toBe('CB-07-0001');
    },
    async mailedCode() {
      const mail = (await test.mails()).findLast(({ to }) => to === person.email);
      const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
      if (!code) throw new Error('No code was mailed');
      return code;
    },
  };
};

/** A wrong code in place of the right one. */
export const differentCode = (code: string): string => (code === '000000' ? '000001' : '000000');
