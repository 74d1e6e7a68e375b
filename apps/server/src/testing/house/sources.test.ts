import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest, linesThat, projectRoot, type SourceFile, sourceFiles } from './source-tree.ts';

const everything = sourceFiles((path) => !path.endsWith('package-lock.json'));
const code = everything.filter(({ path }) => /\.(ts|tsx|mjs|cjs)$/.test(path) && !path.endsWith('.gen.ts'));
const product = code.filter(({ path }) => /^(apps|packages)\/[^/]+\/src\//.test(path) && !isTest(path));
const server = product.filter(({ path }) => path.startsWith('apps/server/src/'));
const web = product.filter(({ path }) => path.startsWith('apps/web/src/'));

/** This file names what it forbids. */
const notThis = ({ path }: SourceFile): boolean => !path.endsWith('house/sources.test.ts');
const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line);
const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;
const codeLines = (files: readonly SourceFile[], pattern: RegExp): string[] =>
  linesThat(files.filter(notThis), (line) => !isComment(line) && pattern.test(line));

it('the source files are found', () => {
  expect(server.length).toBeGreaterThan(50);
  expect(web.length).toBeGreaterThan(50);
});

describe('access to the outside', () => {
  it('SQL is only in queries, views, platform and migrations', () => {
    const free = server.filter(({ path }) => !/\.(queries|views)\.ts$|\/platform\//.test(path));
    const statement =
      /['"`]\s*(?:--[^\n]*\s+)*(select|insert into|update \w+ set|update \w+ \w+ set|delete from|with \w+ as|copy \w+|truncate)\s/gi;
    const found = free.flatMap(({ path, text }) =>
      [...text.matchAll(statement)].map(({ index, 1: verb }) => `${path}:${lineOf(text, index)}: ${verb}`),
    );
    expect(found).toEqual([]);
  });

  it('SQL is compatible with PostgreSQL 15', () => {
    const newer =
      /\breturning old\b|\b(?:any_value|json_table|json_query|uuidv7)\(|\bmerge into\b[^;`]*\breturning\b/gi;
    const found = server.flatMap(({ path, text }) =>
      [...text.matchAll(newer)].map(([words]) => `${path}: ${words}`),
    );
    expect(found).toEqual([]);
  });

  it('SIMs are found by identifiers only through simsBy', () => {
    const condition = /(?:\b(?:s|sims)\.|(?:\bwhere|\band|\bor|\bon|\() )(?:iccid|imsi|msisdn) (?:=|in\b)/g;
    const found = server.flatMap(({ path, text }) =>
      [...text.matchAll(condition)].map(({ 0: words, index }) => `${path}:${lineOf(text, index)}: ${words}`),
    );
    expect(found).toEqual([]);
    expect('where iccid = $1'.match(condition)).toHaveLength(1);
  });

  it('time is read only from the clock', () => {
    const now = /\bnew Date\(\)|\bDate\.now\(\)/;
    const inServer = server.filter(({ path }) => !path.includes('/platform/clock/'));
    const inWeb = web.filter(({ path }) => !/^apps\/web\/src\/(lib|ui\/time)\//.test(path));
    expect(codeLines([...inServer, ...inWeb], now)).toEqual([]);
  });

  it('HTTP routes are created from endpoint records only', () => {
    const free = server.filter(({ path }) => !path.includes('/platform/http/'));
    expect(codeLines(free, /\bapp\.(get|post|put|patch|delete|route)\(/)).toEqual([]);
  });

  it('phrases loaded by the browser import only types from the contract', () => {
    const loaded = product.filter(({ path }) =>
      /^packages\/phrases\/src\/(load\.ts|shape\.ts|\w\w-\w\w\/)/.test(path),
    );
    expect(loaded.length).toBeGreaterThan(30);
    expect(codeLines(loaded, /^import (?!type\b).*@simcube\/contract/)).toEqual([]);
  });
});

describe('files', () => {
  it('have no catch-all names', () => {
    const sources = code.filter(({ path }) => /^(apps|packages|bench|e2e|scripts)\//.test(path));
    const names = sources.map(({ path }) => ({ path, name: basename(path, extname(path)) }));
    // The phrases' `common` is a namespace of texts, not a catch-all folder of code.
    const drawers =
      /^(utils?|helpers?|common|managers?|misc)(\.|$)|[-.](utils?|helpers?|common|manager|misc)$/;
    const found = names.filter(
      ({ path, name }) => drawers.test(name) && !path.startsWith('packages/phrases/'),
    );
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('have at most 400 lines', () => {
    const long = code
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > 400 && path !== 'packages/contract/src/spec/calls.ts');
    expect(long).toEqual([]);
  });

  it('have a README of under 80 lines per module', () => {
    const home = join(projectRoot, 'apps/server/src/modules');
    for (const name of readdirSync(home)) {
      const readme = everything.find(({ path }) => path === `apps/server/src/modules/${name}/README.md`);
      expect(readme, `modules/${name}/README.md`).toBeDefined();
      expect(readme?.text.split('\n').length, `lines of modules/${name}/README.md`).toBeLessThan(80);
    }
  });

  it('have unique numbers and lower-case SQL if they are migrations', () => {
    const migrations = everything.filter(({ path }) => path.startsWith('apps/server/migrations/'));
    const names = migrations.map(({ path }) => basename(path)).filter((name) => name.endsWith('.sql'));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(name).toMatch(/^\d{4}_[a-z0-9_]+\.sql$/);
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
    const shouted =
      /\b(CREATE|ALTER|TABLE|SELECT|INSERT|UPDATE|DELETE|INDEX|REFERENCES|NOT NULL|PRIMARY KEY)\b/;
    expect(linesThat(migrations, (line) => !line.trim().startsWith('--') && shouted.test(line))).toEqual([]);
  });
});

describe('the sources', () => {
  it('contain no TODO', () => {
    expect(linesThat(code.filter(notThis), (line) => /\b(TODO|FIXME|XXX|HACK)\b/.test(line))).toEqual([]);
  });

  it('contain no skipped or focused tests', () => {
    const tests = code.filter(({ path }) => isTest(path) || path.startsWith('e2e/'));
    expect(
      codeLines(tests, /\b(it|test|describe)\.(skip|only|todo|fixme|fails)\b|\bx(it|describe)\(/),
    ).toEqual([]);
  });

  it('contain no tests that sleep', () => {
    const tests = code.filter(({ path }) => /\.test\.tsx?$/.test(path));
    expect(codeLines(tests, /\bwaitForTimeout\(|await (sleep|delay)\(\d/)).toEqual([]);
  });

  it('contain no suppressions without a reason', () => {
    const silent = /@ts-ignore|@ts-nocheck|eslint-disable|@ts-expect-error\s*$|biome-ignore[^:]*(:\s*)?$/;
    expect(linesThat(code.filter(notThis), (line) => silent.test(line))).toEqual([]);
  });

  it('list properties where they belong, instead of spreading a literal object', () => {
    expect(codeLines(code, /\.\.\.\{/)).toEqual([]);
  });

  it('contain no machine names or absolute paths', () => {
    const machine = /(^|[\s"'`(=])\/work\/|\/root\/|\bissues? #?\d/i;
    expect(linesThat(everything.filter(notThis), (line) => machine.test(line))).toEqual([]);
  });

  it('contain no host of a package registry or CDN', () => {
    const hosts =
      /\b(registry\.(npmjs|yarnpkg|npmmirror)|npm\.pkg\.github|(?:unpkg|jsdelivr|esm\.sh|cdnjs)\.(com|net|sh))\b/;
    expect(linesThat(everything.filter(notThis), (line) => hosts.test(line))).toEqual([]);
    const lock = sourceFiles((path) => path === 'package-lock.json');
    expect(lock).toHaveLength(1);
    expect(linesThat(lock, (line) => line.includes('"resolved": "http')).slice(0, 3)).toEqual([]);
  });

  it('contain no secrets', () => {
    const secret = /-----BEGIN [A-Z ]*PRIVATE KEY-----|\bscs_[\w-]{43}\b/;
    expect(linesThat(everything.filter(notThis), (line) => secret.test(line))).toEqual([]);
  });
});
