import { describe, expect, it } from 'vitest';
import { readEnv } from './index.ts';

describe('the settings of mails', () => {
  it('are files in the data directory by default', () => {
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
  ])('are refused by name: %j', (source) => {
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

  it('is an IP address: no name is looked up for it', () => {
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
    expect(() => offsetOf(wrong)).toThrow(/^Settings are not usable:\n {2}SIMCUBE_DAY_OFFSET: /);
  });
});
