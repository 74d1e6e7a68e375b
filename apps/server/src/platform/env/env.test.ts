import { describe, expect, it } from 'vitest';
import { examineEnv, readEnv, UnusableSettings } from './index.ts';

describe('mail settings', () => {
  it('default to files in the data directory', () => {
    const env = readEnv({ SIMCUBE_DATA_DIR: '/srv/simcube' });
    expect(env.publicUrl).toBeUndefined();
    expect(env.mail).toEqual({
      smtpUrl: undefined,
      from: { name: 'SimCube', address: 'simcube@localhost' },
      directory: '/srv/simcube/mail',
    });
  });

  it.each([
    ['SimCube <sim@example.com>', { name: 'SimCube', address: 'sim@example.com' }],
    ['"Müller, SIM" <sim@example.com>', { name: 'Müller, SIM', address: 'sim@example.com' }],
    ['sim@example.com', { name: '', address: 'sim@example.com' }],
    ['<sim@example.com>', { name: '', address: 'sim@example.com' }],
  ])('name a sender: %s', (text, from) => {
    expect(readEnv({ SIMCUBE_MAIL_FROM: text }).mail.from).toEqual(from);
  });

  it.each([
    { SIMCUBE_MAIL_FROM: 'sim@example.com\r\nBcc: eve@example.com' },
    { SIMCUBE_MAIL_FROM: 'A\nBcc: x <sim@example.com>' },
    { SIMCUBE_MAIL_FROM: 'sim@example.com>' },
    { SIMCUBE_MAIL_FROM: 'A <sim@example.com> B' },
    { SIMCUBE_MAIL_FROM: 'nobody' },
    { SIMCUBE_SMTP_URL: 'http://mx.example.com' },
    { SIMCUBE_SMTP_URL: 'mx.example.com:25' },
    { SIMCUBE_SMTP_URL: 'smtp://mx.example.com' },
    { SIMCUBE_PUBLIC_URL: 'ftp://sim.example.com' },
    { SIMCUBE_PUBLIC_URL: 'https://sim.example.com/?a=1' },
    { SIMCUBE_PUBLIC_URL: 'https://admin:geheim@sim.example.com' },
    { SIMCUBE_PUBLIC_URL: 'https://token@sim.example.com/console' },
  ])('are rejected by name: %j', (source) => {
    expect(() => readEnv(source)).toThrow(/SIMCUBE_(MAIL_FROM|SMTP_URL|PUBLIC_URL): /);
  });

  it('never appear in the error', () => {
    expect(() => readEnv({ SIMCUBE_SMTP_URL: 'smtp:/u:geheim' })).toThrow(/^(?!.*geheim)/s);
    expect(() => readEnv({ SIMCUBE_PUBLIC_URL: 'https://u:geheim@sim.example.com' })).toThrow(
      /^(?!.*geheim)/s,
    );
  });

  it('accept a public address with a trailing slash', () => {
    expect(readEnv({ SIMCUBE_PUBLIC_URL: 'https://sim.example.com/console/' }).publicUrl).toBe(
      'https://sim.example.com/console',
    );
  });
});

describe('the address of the RADIUS ports', () => {
  const hostOf = (SIMCUBE_RADIUS_HOST?: string) =>
    readEnv({ SIMCUBE_ENV_FILE: '', ...(SIMCUBE_RADIUS_HOST !== undefined && { SIMCUBE_RADIUS_HOST }) })
      .radius.host;

  it('must be an IP address', () => {
    expect([hostOf(), hostOf('0.0.0.0'), hostOf('::')]).toEqual(['127.0.0.1', '0.0.0.0', '::']);
    for (const wrong of ['radius.example', '10.0.0.300', '10.0.0.0/8'])
      expect(() => hostOf(wrong)).toThrow('SIMCUBE_RADIUS_HOST: must be an IP address');
  });
});

describe('the offset of business days', () => {
  const offsetOf = (SIMCUBE_DAY_OFFSET: string) =>
    readEnv({ SIMCUBE_ENV_FILE: '', SIMCUBE_DAY_OFFSET }).dayOffset;

  it('is whole hours, ahead of UTC or behind', () => {
    expect(['+8', '8', '-5', '0', '-12', '14', ''].map(offsetOf)).toEqual([8, 8, -5, 0, -12, 14, undefined]);
  });

  it.each(['15', '-13', '5.5', '+05:30', 'UTC+8', '1e1', '0x1', '∞'])('is not %s', (wrong) => {
    expect(() => offsetOf(wrong)).toThrow(/^Invalid settings:\n {2}SIMCUBE_DAY_OFFSET: /);
  });
});

describe('an invalid setting', () => {
  const problemOf = (name: string, value: string) => {
    try {
      readEnv({ SIMCUBE_ENV_FILE: '', SIMCUBE_MAIL_FROM: 'sim@example.com', [name]: value });
    } catch (error) {
      if (error instanceof UnusableSettings) return error.message.split('\n').at(-1)?.trim();
      throw error;
    }
    return undefined;
  };

  it.each([
    ['SIMCUBE_PORT', '80a', 'must be a whole number from 0 to 65535'],
    ['SIMCUBE_PORT', '1e3', 'must be a whole number from 0 to 65535'],
    ['SIMCUBE_PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['SIMCUBE_DB_POOL', '1', 'must be a whole number from 2 to 200'],
    ['SIMCUBE_DEMO', 'no', 'must be 0 or 1'],
    ['SIMCUBE_LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['SIMCUBE_ROLES', 'web,cook', 'must be some of web, worker, aaa, separated by commas'],
    [
      'DATABASE_URL',
      'db.example.com:5432',
      'must be a URL such as postgres://user:password@host:5432/database',
    ],
    ['SIMCUBE_SMTP_URL', 'mx.example.com', 'must be a URL such as smtp://user:password@host:587'],
    ['SIMCUBE_MAPS_URL', 'maps', 'must be a URL such as https://sim.example.com'],
    ['SIMCUBE_OUTBOUND_NETWORKS', '10.0.0.1', 'must be networks such as 10.0.0.0/8, separated by commas'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a fraction from 0 to 1, such as 0.1'],
    ['SIMCUBE_DAY_OFFSET', '15', 'must be whole hours from -12 to +14, such as +8 or -5'],
    ['SIMCUBE_API_KEY_BITS', '1536', 'must be 1024, or 2048 to 4096'],
  ])('is reported with the expected value: %s=%s', (name, value, problem) => {
    expect(problemOf(name, value)).toBe(`${name}: ${problem}`);
  });
});

it('an invalid sender is one fault, also with a mail server', () => {
  const settings = { SIMCUBE_SMTP_URL: 'smtp://mx.example', SIMCUBE_MAIL_FROM: 'nobody' };
  const { faults, mail } = examineEnv({ SIMCUBE_ENV_FILE: '', ...settings });
  expect(faults.map(({ name }) => name)).toEqual(['SIMCUBE_MAIL_FROM']);
  expect(mail.smtpUrl).toBeUndefined();
});

describe('the demonstration', () => {
  const faultOf = (settings: NodeJS.ProcessEnv) => readEnv({ SIMCUBE_ENV_FILE: '', ...settings }).demoFault;
  const real = [
    { DATABASE_URL: 'postgres://127.0.0.1/simcube' },
    { SIMCUBE_PUBLIC_URL: 'https://sims.example' },
  ];

  it.each(real)('must be chosen for what may be a real installation: %j', (settings) => {
    expect(faultOf(settings)).toBe(
      `${Object.keys(settings)[0]} is set, but SIMCUBE_DEMO is not: set it to 0, or to 1 for the demonstration, whose passwords everybody knows`,
    );
    for (const SIMCUBE_DEMO of ['0', '1']) expect(faultOf({ ...settings, SIMCUBE_DEMO })).toBeUndefined();
  });

  it('is the default of an installation with nothing but defaults', () => {
    expect(readEnv({ SIMCUBE_ENV_FILE: '' })).toMatchObject({ demo: true, demoFault: undefined });
  });
});

describe('the trace sampling ratio', () => {
  it.each(['0', '1', '0.25', '.5', '1.0'])('may be %s', (OTEL_TRACES_SAMPLER_ARG) => {
    const env = readEnv({
      SIMCUBE_ENV_FILE: '',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_TRACES_SAMPLER_ARG,
    });
    expect(env.tracing?.ratio).toBe(Number(OTEL_TRACES_SAMPLER_ARG));
  });
});
