import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../apps/server/src/platform/embedded/processes.ts';
import { admits } from '../apps/server/src/testing/house/node-range.ts';
import { isSupported } from './setup.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
/** A separate checkout: the scripts use the directory above them as the root. */
let checkout;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'simcube-setup-'));
  for (const name of ['start.mjs', 'setup.mjs', 'run.mjs', 'lock.mjs', 'build.mjs']) {
    cpSync(join(scripts, name), join(checkout, 'scripts', name));
  }
  write('package-lock.json', '{}');
  write('app/src/main.ts', 'one');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const write = (path, text) => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
};
const read = (path) => readFileSync(join(checkout, path), 'utf8');
const lines = (path) => (existsSync(join(checkout, path)) ? read(path).trim().split('\n') : []);

/** Runs lines of a script of the checkout. @returns its exit code, or the signal that ended it */
const run = (text, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
      cwd: checkout,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });

/** Records that it ran, writes the content of the source, and then runs `end`. */
const build = (end = '') =>
  run(`
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
    import { whenChanged } from './scripts/setup.mjs';
    await whenChanged({ name: 'app', sources: ['app'], output: 'app/dist', make: async (directory) => {
      appendFileSync('made.log', 'made\\n');
      writeFileSync(directory + '/main.js', readFileSync('app/src/main.ts', 'utf8'));
      ${end}
    } });`);

describe('the log of npm start', () => {
  const outputOf = (env, text = "import { say } from './scripts/run.mjs'; say('Installing');") =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
        cwd: checkout,
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const [stream, mark] of [
        [child.stdout, ''],
        [child.stderr, 'stderr: '],
      ])
        stream.on('data', (chunk) => (output += `${mark}${chunk}`));
      child.once('close', () => resolve(output));
    });

  test('has the format of the environment file, which the environment overrides', async () => {
    write('simcube.env', '\ufeffSIMCUBE_DEMO=0\n');
    write('other.env', 'SIMCUBE_DEMO=0\nSIMCUBE_LOG_FORMAT=pretty\n');
    expect(JSON.parse(await outputOf({}))).toMatchObject({ level: 30, msg: 'Installing' });
    expect(await outputOf({ SIMCUBE_ENV_FILE: '' })).toBe('stderr: Installing\n');
    expect(await outputOf({ SIMCUBE_ENV_FILE: 'other.env' })).toBe('stderr: Installing\n');
    expect(await outputOf({ SIMCUBE_DEMO: '1' })).toBe('stderr: Installing\n');
    expect(await outputOf({ SIMCUBE_ENV_FILE: 'missing.env' })).toBe('stderr: Installing\n');
  });

  test.each(['0', '1'])('leaves standard output to a command, with SIMCUBE_DEMO=%s', async (demo) => {
    const text = `import { keepStandardOutput, runOrExit, say } from './scripts/run.mjs';
      keepStandardOutput(); say('Installing'); await runOrExit(process.execPath, ['--eval', 'console.log("added")']);`;
    const output = await outputOf({ SIMCUBE_DEMO: demo, SIMCUBE_ENV_FILE: '' }, text);
    expect(output.replaceAll('stderr: ', '')).toBe('Installing\nadded\n');
    expect(output).toMatch(/^stderr: Installing\n(stderr: )?added\n$/);
  });
});

describe('a build', () => {
  test('runs once while its sources are unchanged, and again when one changes', async () => {
    expect([await build(), await build()]).toEqual([0, 0]);
    expect(lines('made.log')).toHaveLength(1);
    write('app/src/main.ts', 'two');
    expect(await build()).toBe(0);
    expect(read('app/dist/main.js')).toBe('two');
  });

  test.each([
    ['throws', "throw new Error('no');", 1],
    ['ends the process with an error', 'process.exit(3);', 3],
    ['is killed', "process.kill(process.pid, 'SIGKILL');", 'SIGKILL'],
  ])('that %s keeps the last output, and is retried', async (_, end, outcome) => {
    await build();
    write('app/src/main.ts', 'two');
    expect(await build(end)).toBe(outcome);
    expect(read('app/dist/main.js')).toBe('one');
    expect(await build()).toBe(0);
    expect(read('app/dist/main.js')).toBe('two');
    expect(lines('made.log')).toHaveLength(3);
  });

  test('runs again when its output or a file in it was deleted', async () => {
    await build();
    rmSync(join(checkout, 'app/dist'), { recursive: true });
    await build();
    expect(read('app/dist/main.js')).toBe('one');
    rmSync(join(checkout, 'app/dist/main.js'));
    await build();
    expect(read('app/dist/main.js')).toBe('one');
  });

  test('runs again when its output is older, whatever a checkout with the same packages has built', async () => {
    const [app, older] = ['app', 'older'].map((name) => join(checkout, name));
    await build();
    cpSync(app, older, { recursive: true });
    write('app/src/main.ts', 'two');
    await build();
    rmSync(app, { recursive: true });
    cpSync(older, app, { recursive: true });
    write('app/src/main.ts', 'two');
    await build();
    expect(read('app/dist/main.js')).toBe('two');
  });

  test('runs once for concurrent processes, and all continue', async () => {
    expect(await Promise.all([build(), build(), build()])).toEqual([0, 0, 0]);
    expect(lines('made.log')).toHaveLength(1);
  });
});

describe('installing packages', () => {
  /** Replaces npm: records its arguments, and runs `npm`. */
  const install = (npm = '') => {
    write(
      'npm.cjs',
      `require('node:fs').appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n'); ${npm}`,
    );
    return run("import { install } from './scripts/setup.mjs'; await install();", {
      npm_execpath: join(checkout, 'npm.cjs'),
      NODE_ENV: 'production',
    });
  };

  test('runs once for concurrent processes, from the lockfile, with development packages', async () => {
    expect(await Promise.all([install(), install(), install()])).toEqual([0, 0, 0]);
    expect(lines('npm.log')).toEqual([expect.stringMatching(/^ci --include=dev /)]);
  });

  test.each([
    ['that runs it', 'exec node scripts/start.mjs'],
    ['of the shell that npm runs it in', 'node scripts/start.mjs; true'],
  ])('ends, with its child processes, with the process %s', async (_, command) => {
    write(
      'npm.cjs',
      `const { spawn } = require('node:child_process');
       const script = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
       require('node:fs').writeFileSync('pids', process.pid + ' ' + script.pid);`,
    );
    const shell = spawn('/bin/sh', ['-c', command], {
      cwd: checkout,
      env: { ...process.env, npm_execpath: join(checkout, 'npm.cjs'), npm_lifecycle_event: 'start' },
      stdio: 'ignore',
    });
    await expect.poll(() => lines('pids'), { timeout: 30_000 }).toEqual([expect.stringMatching(/^\d+ \d+$/)]);
    const pids = read('pids').split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    shell.kill('SIGTERM');
    await expect.poll(() => pids.map(isAlive), { timeout: 30_000 }).toEqual([false, false]);
  });

  test('that fails ends the start, and is retried at the next start', async () => {
    expect(await install('process.exit(7);')).toBe(7);
    expect(await install()).toBe(0);
    expect(await install()).toBe(0);
    expect(lines('npm.log')).toHaveLength(2);
  });
});

describe('a lock', () => {
  /** Works under the lock: records when it enters and leaves. */
  const work = (inside) =>
    run(`
      import { appendFileSync } from 'node:fs';
      import { withLock } from './scripts/lock.mjs';
      await withLock('locks', async () => {
        appendFileSync('work.log', 'in\\n');
        ${inside}
        appendFileSync('work.log', 'out\\n');
      });`);

  test('is held by one process at a time, even if holders are killed', async () => {
    const ends = ['', "process.kill(process.pid, 'SIGKILL');", "throw new Error('no');"];
    const outcomes = await Promise.all(Array.from({ length: 12 }, (_, n) => work(ends[n % 3])));
    expect(outcomes).toEqual(Array.from({ length: 12 }, (_, n) => [0, 'SIGKILL', 1][n % 3]));
    expect(lines('work.log').filter((line) => line === 'in')).toHaveLength(12);
    // A holder that ends normally leaves before another enters.
    const entries = lines('work.log').join(' ');
    expect(entries.match(/in out/g)).toHaveLength(4);
  });

  test('of a process whose id was reused is released', async () => {
    write('locks/1/holder', `${process.pid} 1`);
    expect(await work('')).toBe(0);
    expect(existsSync(join(checkout, 'locks/1'))).toBe(false);
  });
});

test('the rejected versions of Node.js are those that package.json excludes', () => {
  const { engines } = JSON.parse(readFileSync(join(scripts, '../package.json'), 'utf8'));
  for (const version of [
    '18.20.0',
    '20.18.3',
    '20.19.0',
    '20.20.2',
    '21.7.3',
    '22.12.0',
    '22.13.0',
    '22.23.3',
    '23.11.0',
  ])
    expect([version, isSupported(version)]).toEqual([
      version,
      admits(engines.node, version.split('.').map(Number)),
    ]);
  expect(['20.18.3', '22.12.0', '23.11.0'].map(isSupported)).toEqual([false, false, false]);
  expect(['20.19.0', '22.13.0', '24.0.0', '26.1.0'].map(isSupported)).toEqual([true, true, true, true]);
});

describe('npm scripts on a fresh clone', () => {
  /** The scripts that a script loads statically, including itself; packages by name. */
  const loaded = (name, seen = new Set()) => {
    if (seen.has(name) || name.startsWith('node:')) return seen;
    seen.add(name);
    if (!name.startsWith('.')) return seen;
    const text = readFileSync(join(scripts, name), 'utf8');
    for (const [, from] of text.matchAll(/^(?:import|\} from)\b[^'"]*'([^']+)'/gm)) loaded(from, seen);
    return seen;
  };
  const { scripts: commands } = JSON.parse(readFileSync(join(scripts, '../package.json'), 'utf8'));

  test.each(
    Object.entries(commands).flatMap(([name, command]) => {
      const [, script] = /^node scripts\/(\S+)/.exec(command) ?? [];
      return script ? [[name, `./${script}`]] : [];
    }),
  )('load no packages before installation: npm run %s', (_, script) => {
    const packages = [...loaded(script)].filter((name) => !name.startsWith('.'));
    expect(packages).toEqual([]);
  });
});
