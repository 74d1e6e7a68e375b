import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnv } from '../platform/env/index.ts';
import { createLog } from '../platform/log/index.ts';
import { notifySystemd } from './systemd.ts';

let directory: string;
const lines: string[] = [];
const log = createLog({
  level: 'info',
  format: 'json',
  destination: { write: (line: string) => void lines.push(line) },
});

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-systemd-'));
  lines.length = 0;
  vi.stubEnv('PATH', directory);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

describe('systemd', () => {
  it('is informed by its own program, which knows the socket', async () => {
    const program = join(directory, 'systemd-notify');
    await writeFile(program, `#!/bin/sh\necho "$@ $NOTIFY_SOCKET" > ${directory}/said\n`);
    await chmod(program, 0o755);
    vi.stubEnv('NOTIFY_SOCKET', '/run/systemd/notify');
    await notifySystemd(log);
    expect(await readFile(join(directory, 'said'), 'utf8')).toBe('--ready /run/systemd/notify\n');
    expect(lines).toEqual([]);
  });

  it('that can’t be informed is in the log, and the server runs', async () => {
    await notifySystemd(log);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      msg: 'systemd could not be informed that the server is ready',
      err: { code: 'ENOENT' },
    });
  });

  it.each([
    [{ NOTIFY_SOCKET: '/run/systemd/notify' }, true],
    [{ NOTIFY_SOCKET: '' }, false],
    [{}, false],
  ])('waits with %o: %s', (variables, isWaiting) => {
    expect(readEnv({ SIMCUBE_ENV_FILE: '', ...variables }).isSystemdWaiting).toBe(isWaiting);
  });
});
