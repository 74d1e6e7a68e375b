import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEnvironment } from './environment-file.ts';
import { readEnv, UnusableSettings } from './index.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-env-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const write = async (text: string, name = 'simcube.env', mode = 0o600): Promise<string> => {
  const file = join(directory, name);
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
};

const text = `# settings
SIMCUBE_PORT=9000
export SIMCUBE_HOST="::1"

SIMCUBE_MAIL_FROM='SimCube <sim@example.com>'
SIMCUBE_SECRET_KEY=
`;

describe('an environment file', () => {
  it('is simcube.env of the project, or the relative or absolute SIMCUBE_ENV_FILE', async () => {
    const file = await write(text);
    const expected = {
      SIMCUBE_PORT: '9000',
      SIMCUBE_HOST: '::1',
      SIMCUBE_MAIL_FROM: 'SimCube <sim@example.com>',
    };
    expect(readEnvironment({}, directory)).toEqual({ values: expected, file, warnings: [] });
    const other = await write('SIMCUBE_PORT=7000\r\n', 'other.env');
    for (const named of [other, 'other.env']) {
      const { values, file: read } = readEnvironment({ SIMCUBE_ENV_FILE: named }, directory);
      expect([values['SIMCUBE_PORT'], values['SIMCUBE_HOST'], read]).toEqual(['7000', undefined, other]);
    }
    expect(readEnvironment({ SIMCUBE_ENV_FILE: '' }, directory).values).toEqual({});
  });

  it('is overridden by environment variables, where empty means not set', async () => {
    await write(text);
    const { values } = readEnvironment({ SIMCUBE_PORT: '1', SIMCUBE_HOST: '' }, directory);
    expect(values).toEqual({ SIMCUBE_PORT: '1', SIMCUBE_MAIL_FROM: 'SimCube <sim@example.com>' });
  });

  it('may be missing unless named; an invalid line is rejected with its number', async () => {
    expect(readEnvironment({}, directory).values).toEqual({});
    const missing = join(directory, 'none.env');
    expect(() => readEnvironment({ SIMCUBE_ENV_FILE: missing }, '/')).toThrow(
      new UnusableSettings(`SIMCUBE_ENV_FILE names ${missing}, which does not exist`),
    );
    const file = await write('SIMCUBE_PORT=1\nSIMCUBE_SECRET_KEY geheim\n');
    expect(() => readEnvironment({}, directory)).toThrow(`${file}, line 2: expected NAME=value`);
    expect(() => readEnvironment({}, directory)).not.toThrow(/geheim/);
    expect(() => readEnvironment({ SIMCUBE_ENV_FILE: directory }, '/')).toThrow(/can't be read \(EISDIR\)/);
  });

  it('may begin with a byte order mark and must be UTF-8', async () => {
    const file = await write('\ufeffSIMCUBE_PORT=9000\r\nSIMCUBE_HOST=::1\r\n');
    expect(readEnvironment({}, directory).values).toEqual({ SIMCUBE_PORT: '9000', SIMCUBE_HOST: '::1' });
    await writeFile(file, Buffer.from('SIMCUBE_SMTP_URL=smtp://a:schl\u00fcssel@mx', 'latin1'));
    expect(() => readEnvironment({}, directory)).toThrow(
      new UnusableSettings(`The settings in ${file} are not UTF-8`),
    );
  });

  it('causes a warning for a duplicate name, without its values', async () => {
    const file = await write('SIMCUBE_PORT=1\n# SIMCUBE_HOST=a\nSIMCUBE_HOST=b\nexport SIMCUBE_PORT = 2\n');
    expect(readEnvironment({}, directory)).toMatchObject({
      values: { SIMCUBE_PORT: '2' },
      warnings: [`SIMCUBE_PORT is set twice in ${file}: the last value is used`],
    });
  });

  it('treats a blank value as not set', async () => {
    await write('SIMCUBE_PORT=" "\n');
    expect(readEnv({ SIMCUBE_ENV_FILE: join(directory, 'simcube.env') }).http.port).toBe(8080);
    expect(readEnv({ SIMCUBE_ENV_FILE: '', SIMCUBE_DB_POOL: ' ' }).databasePool).toBe(16);
  });

  it('causes a warning when it is world-readable', async () => {
    const file = await write(text, 'simcube.env', 0o644);
    expect(readEnvironment({}, directory).warnings).toEqual([
      `${file} may contain secrets, and every user of this machine can read it: restrict it with chmod 600`,
    ]);
  });

  it('may contain any setting, validated like environment variables', async () => {
    const file = await write('SIMCUBE_ROLES=web\nSIMCUBE_LOG_FORMAT=pretty\nDATABASE_URL=mysql://x\n');
    expect(() => readEnv({ SIMCUBE_ENV_FILE: file })).toThrow(/DATABASE_URL: /);
    const env = readEnv({ SIMCUBE_ENV_FILE: file, DATABASE_URL: '' });
    expect(env).toMatchObject({ roles: ['web'], log: { format: 'pretty' }, environmentFile: file });
    expect(env.databaseUrl).toBeUndefined();
  });
});

describe('unknown variables', () => {
  const warned = (source: Record<string, string>) => readEnv({ SIMCUBE_ENV_FILE: '', ...source }).warnings;

  it('are reported with a suggestion', () => {
    expect(
      warned({
        SIMCUBE_SECRETKEY: 'x',
        SIMCUBE_ROLE: 'web',
        SIMCUBE_TRUST_PROXIES: '1',
        SIMCUBE_COLOUR: 'red',
      }),
    ).toEqual([
      'SIMCUBE_COLOUR is not a setting of SimCube',
      'SIMCUBE_ROLE is not a setting of SimCube: did you mean SIMCUBE_ROLES?',
      'SIMCUBE_SECRETKEY is not a setting of SimCube: did you mean SIMCUBE_SECRET_KEY?',
      'SIMCUBE_TRUST_PROXIES is not a setting of SimCube: did you mean SIMCUBE_TRUST_PROXY?',
    ]);
  });

  it('do not include known ones or those of other programs', () => {
    expect(
      warned({ PATH: '/bin', SIMCUBE_SIM_SECRET: 'x', SIMCUBE_DEMO: '0', SIMCUBE_ENV_FILE: '' }),
    ).toEqual([]);
  });
});
