import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admits } from './node-range.ts';
import { projectRoot } from './source-tree.ts';

interface Entry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const lockfile = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};
const entries = Object.entries(lockfile.packages);
const fromRegistry = entries.filter(([path, { link }]) => path.includes('node_modules/') && !link);

/** Where Node would find the package for the one at `path`: in its own node_modules, or in a parent's. */
const found = (path: string, name: string): boolean => {
  const above = path.replace(/(^|\/)(node_modules\/)?(@[^/]+\/)?[^/]+$/, '');
  return (
    `${path === '' ? '' : `${path}/`}node_modules/${name}` in lockfile.packages ||
    (path !== '' && found(above, name))
  );
};

describe('the lockfile', () => {
  test('has every required package, including those for other platforms', () => {
    const missing = entries.flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !found(path, name))
        .map((name) => `${path} needs ${name}`),
    );
    expect(entries.length).toBeGreaterThan(500);
    expect(missing).toEqual([]);
  });

  test('has version and hash of every registry package', () => {
    expect(fromRegistry.filter(([, { version, integrity }]) => !(version && integrity))).toEqual([]);
  });

  test('contains no registry URLs', () => {
    expect(fromRegistry.flatMap(([, { resolved }]) => resolved ?? [])).toEqual([]);
  });

  test.each([[[20, 19, 0]], [[22, 13, 0]], [[24, 0, 0]]] as [[number, number, number]][])(
    'has no package that excludes Node.js %j, the oldest supported of its line',
    (version) => {
      const refusing = entries.flatMap(([path, { engines }]) =>
        engines?.node === undefined || admits(engines.node, version) ? [] : [`${path}: ${engines.node}`],
      );
      expect(refusing).toEqual([]);
    },
  );
});

describe('a version range', () => {
  test.each([
    '*',
    '>=18',
    '>= 10',
    '>=8.x',
    '>=v12.22.7',
    '20',
    '20.x',
    '~20.19',
    '18 || 20 || >=22',
    '^20.19.0 || >=22.12.0',
    '^20.12||^22||>=24',
    '6.* || 8.* || >= 10.*',
    '>=14 <21',
    '>=14 <=20.19.0',
  ])('%s admits 20.19.0', (range) => expect(admits(range, [20, 19, 0])).toBe(true));

  test.each([
    '>=22',
    '>20.19.0',
    '^18.0.0',
    '^20.20.0',
    '~20.18.1',
    '18 || >=22',
    '>=14 <20',
    '>=20.19.1',
    '^22.13.0 || >=24',
    '<=20.18',
    'lts',
  ])('%s does not admit 20.19.0', (range) => expect(admits(range, [20, 19, 0])).toBe(false));
});
