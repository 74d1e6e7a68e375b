import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('./index.ts', import.meta.url));

/** What a program that logs this writes: the log goes to standard output, so it is looked at from outside. */
const written = (statement: string): string =>
  spawnSync(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      `const { createLog } = await import(${JSON.stringify(source)});
     const log = createLog({ level: 'info', format: 'json' }); ${statement}`,
    ],
    { encoding: 'utf8' },
  ).stdout;

test('secrets are masked however deep they stand', () => {
  const output =
    written(`log.info({ password: 'geheim1', user: { token: 'geheim2', nested: { secret: 'geheim3' } },
    request: { authorization: 'geheim4' }, body: { code: 'geheim5' } }, 'x')`);
  expect(output).toContain('[masked]');
  expect(output).not.toContain('geheim');
});

test('of an error only what helps is written', () => {
  const output = written(`log.warn({ err: Object.assign(new Error('lost'), { code: '57P01',
    client: { connectionParameters: { password: 'geheim' } } }) }, 'x')`);
  const { err } = JSON.parse(output) as { err: Record<string, unknown> };
  expect(new Set(Object.keys(err))).toEqual(new Set(['type', 'message', 'stack', 'code']));
  expect(err).toMatchObject({ type: 'Error', message: 'lost', code: '57P01' });
});
