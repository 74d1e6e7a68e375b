import { expect, it } from 'vitest';
import { createLog } from './index.ts';

const logged = (record: Record<string, unknown>): string => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  createLog({ level: 'trace', format: 'json', destination }).info(record, 'something');
  return lines.join('');
};

it('the log masks secrets by name, at any depth', () => {
  const secret = 'hush-hush';
  const names = [
    ...['password', 'oldPassword', 'passwordHash', 'token', 'token_hash', 'secret', 'totpSecret'],
    ...['recoveryCodes', 'recovery_codes', 'codeHash', 'sealed', 'authorization', 'cookie', 'privateKey'],
  ];
  for (const name of names) {
    const inner = { [name]: secret };
    for (const record of [inner, { body: inner }, { req: { body: inner } }]) {
      expect(logged(record), JSON.stringify(record)).toContain('[masked]');
      expect(logged(record), JSON.stringify(record)).not.toContain(secret);
    }
  }
});

it('the log masks secret codes, but not error codes', () => {
  for (const record of [
    { body: { code: '123456' } },
    { req: { body: { code: '123456' } } },
    { mail: { values: { code: '123456' } } },
    { headers: { email: '123456' } },
    { req: { headers: { email: '123456' } } },
    { data: { uri: 'otpauth://totp/SimCube?secret=123456' } },
    { message: { link: 'https://example.test/login#reset=123456' } },
    { link: { path: '/login', fragment: { reset: '123456' } } },
  ]) {
    expect(logged(record), JSON.stringify(record)).not.toContain('123456');
  }
  expect(logged({ code: 'CB-07-0001' })).toContain('CB-07-0001');
  const error = Object.assign(new Error('away'), {
    code: 'ECONNREFUSED',
    connection: { password: 'x9x9x9' },
  });
  expect(logged({ err: error })).toContain('ECONNREFUSED');
  expect(logged({ err: error })).not.toContain('x9x9x9');
});
