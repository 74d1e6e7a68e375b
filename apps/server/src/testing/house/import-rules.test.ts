import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from './source-tree.ts';

/** A file that violates one rule: what it imports, and the rule that must report it. */
interface ForbiddenImport {
  rule: string;
  file: string;
  imports: string;
}

const server = 'apps/server/src';
const web = 'apps/web/src';

const forbiddenImports: ForbiddenImport[] = [
  { rule: 'no-cycles', file: `${web}/lib/time/a.ts`, imports: './b.tsx' },
  { rule: 'everything-resolves', file: `${web}/lib/time/lost.tsx`, imports: './nowhere.ts' },
  { rule: 'contract-imports-zod-alone', file: 'packages/contract/src/x.ts', imports: 'node:fs' },
  {
    rule: 'phrases-import-contract-alone',
    file: 'packages/phrases/src/x.ts',
    imports: '../../radius/src/index.ts',
  },
  {
    rule: 'radius-imports-nothing',
    file: 'packages/radius/src/x.ts',
    imports: '../../contract/src/index.ts',
  },
  {
    rule: 'smpp-imports-nothing',
    file: 'packages/smpp/src/x.ts',
    imports: '../../contract/src/index.ts',
  },
  { rule: 'smpp-text-imports-nothing', file: 'packages/smpp/src/text/x.ts', imports: 'node:buffer' },
  {
    rule: 'web-never-imports-server',
    file: `${web}/lib/x.tsx`,
    imports: '../../../server/src/platform/clock/index.ts',
  },
  {
    rule: 'network-sim-never-imports-server',
    file: 'apps/network-sim/src/x.ts',
    imports: '../../server/src/platform/clock/index.ts',
  },
  {
    rule: 'server-never-imports-the-other-apps',
    file: `${server}/main/x.ts`,
    imports: '../../../web/src/lib/index.ts',
  },
  {
    rule: 'demonstration-through-the-simulators-index',
    file: `${server}/main/demo/x.ts`,
    imports: '../../../../network-sim/src/gateway.ts',
  },
  {
    rule: 'platform-never-imports-modules',
    file: `${server}/platform/jobs/x.ts`,
    imports: '../../modules/sim/index.ts',
  },
  { rule: 'main-is-the-top', file: `${server}/modules/sim/x.ts`, imports: '../../main/index.ts' },
  { rule: 'tests-stay-in-tests', file: `${server}/platform/db/x.ts`, imports: '../../testing/index.ts' },
  {
    rule: 'modules-through-their-index',
    file: `${server}/main/y.ts`,
    imports: '../modules/sim/sim.service.ts',
  },
  {
    rule: 'modules-through-each-others-index',
    file: `${server}/modules/aaa/x.ts`,
    imports: '../sim/sim.service.ts',
  },
  { rule: 'sim-imports-lower-tiers-only', file: `${server}/modules/sim/y.ts`, imports: '../aaa/index.ts' },
  { rule: 'sim-imports-lower-tiers-only', file: `${server}/modules/sim/z.ts`, imports: '../bundle/index.ts' },
  {
    rule: 'usage-imports-lower-tiers-only',
    file: `${server}/modules/usage/x.ts`,
    imports: '../aaa/index.ts',
  },
  { rule: 'modules-have-a-tier', file: `${server}/modules/misc/x.ts`, imports: '../sim/index.ts' },
  {
    rule: 'platform-through-its-indexes',
    file: `${server}/modules/sim/w.ts`,
    imports: '../../platform/db/pool.ts',
  },
  {
    rule: 'rules-are-pure',
    file: `${server}/modules/sim/x.rules.ts`,
    imports: '../../platform/clock/index.ts',
  },
  { rule: 'rules-are-pure', file: `${server}/modules/sim/y.rules.ts`, imports: './sim.service.ts' },
  { rule: 'rules-are-pure', file: `${server}/modules/sim/z.rules.ts`, imports: 'node:fs' },
  {
    rule: 'routes-ask-services-and-views',
    file: `${server}/modules/sim/x.routes.ts`,
    imports: './sim.queries.ts',
  },
  { rule: 'views-only-read', file: `${server}/modules/sim/x.views.ts`, imports: './sim.queries.ts' },
  {
    rule: 'queries-only-write-and-read',
    file: `${server}/modules/sim/x.queries.ts`,
    imports: './sim.service.ts',
  },
  {
    rule: 'services-do-not-know-their-callers',
    file: `${server}/modules/sim/x.service.ts`,
    imports: './sim.routes.ts',
  },
  { rule: 'features-through-their-index', file: `${web}/app/x.tsx`, imports: '../features/sim/list.tsx' },
  {
    rule: 'features-through-each-others-index',
    file: `${web}/features/org/x.tsx`,
    imports: '../sim/list.tsx',
  },
  { rule: 'features-do-not-know-the-app', file: `${web}/features/org/y.tsx`, imports: '../../app/index.ts' },
  { rule: 'kit-knows-no-features', file: `${web}/ui/x/x.tsx`, imports: '../../features/sim/index.ts' },
  { rule: 'lib-draws-nothing', file: `${web}/lib/y.tsx`, imports: '../ui/index.ts' },
];

/** The imported files; empty except for the other half of the cycle. */
const importedFiles: Record<string, string> = {
  [`${web}/lib/time/b.tsx`]: `import './a.ts';\nexport const B = () => <p>x</p>;\n`,
  ...Object.fromEntries(
    [
      'packages/contract/src/index.ts',
      'packages/radius/src/index.ts',
      'apps/network-sim/src/gateway.ts',
      `${server}/main/index.ts`,
      `${server}/testing/index.ts`,
      `${server}/platform/clock/index.ts`,
      `${server}/platform/db/pool.ts`,
      ...['aaa', 'bundle', 'sim'].map((name) => `${server}/modules/${name}/index.ts`),
      ...['service', 'queries', 'routes'].map((name) => `${server}/modules/sim/sim.${name}.ts`),
      `${web}/app/index.ts`,
      `${web}/features/sim/index.ts`,
      `${web}/features/sim/list.tsx`,
      `${web}/lib/index.ts`,
      `${web}/ui/index.ts`,
    ].map((file) => [file, 'export {};\n']),
  ),
};

interface Violation {
  rule: { name: string };
  from: string;
}

let directory: string;
let violations: Violation[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-imports-'));
  const files = {
    ...importedFiles,
    ...Object.fromEntries(
      forbiddenImports.map(({ file, imports }) => [file, `import '${imports}';\n${bodyOf(file)}`]),
    ),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), text);
  }
  violations = await cruise();
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** JSX and types, so that the test fails if a file is not really parsed. */
const bodyOf = (file: string): string =>
  file.endsWith('.tsx')
    ? 'export const X = <T extends object>({ x }: { x: T }) => <p>{Object.keys(x)}</p>;\n'
    : 'export const x = <T>(y: T): T => y satisfies T;\n';

const cruise = async (): Promise<Violation[]> => {
  const program = join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      [
        program,
        ...[
          '--config',
          join(projectRoot, '.dependency-cruiser.cjs'),
          '--output-type',
          'json',
          'apps',
          'packages',
        ],
      ],
      { cwd: directory, maxBuffer: 64 * 1024 * 1024 },
      // The exit code counts violations; only the output matters.
      (error, stdout, stderr) => (stdout ? resolve(stdout) : reject(error ?? new Error(stderr))),
    );
  });
  return JSON.parse(output).summary.violations;
};

describe('import rules', () => {
  it.each(forbiddenImports)('$rule reports $file', ({ rule, file }) => {
    const found = violations
      .filter((violation) => violation.from === file)
      .map((violation) => violation.rule.name);
    expect(found).toContain(rule);
  });

  it('report nothing for valid imports', () => {
    const reportedForValid = violations.filter(
      ({ from }) => from in importedFiles && !from.endsWith('/b.tsx'),
    );
    expect(reportedForValid).toEqual([]);
  });
});
