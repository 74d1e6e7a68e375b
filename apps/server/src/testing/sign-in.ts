import { expect } from 'vitest';
import { callerFrom, endOf, personPassword, type testIdentity, wrongPassword } from './identity.ts';

type Test = Awaited<ReturnType<typeof testIdentity>>;
type Person = Awaited<ReturnType<Test['makePerson']>>;

export interface Given {
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
  signIn(given?: Given): ReturnType<Test['signIn']['signIn']>;
  /** The result code of a sign-in. */
  attempt(given?: Given): ReturnType<typeof endOf>;
  /** The same with a wrong password. */
  wrong(given?: Given): ReturnType<typeof endOf>;
  failTimes(times: number, given?: Given): Promise<void>;
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
  const signIn = ({ address: from = address, ...given }: Given = {}) =>
    test.signIn.signIn({
      email: person.email,
      password: personPassword,
      agreement: true,
      actor: callerFrom(from),
      userAgent: 'Browser/1.0',
      ...given,
    });
  const wrong = (given: Given = {}) => endOf(signIn({ password: wrongPassword, ...given }));
  return {
    person,
    address,
    signIn,
    attempt: (given = {}) => endOf(signIn(given)),
    wrong,
    async failTimes(times, given) {
      for (let i = 0; i < times; i += 1) expect(await wrong(given)).toBe('CB-07-0001');
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
export const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');
