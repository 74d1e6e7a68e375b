// How many tests of each kind passed, and which failed, from what Vitest and Playwright wrote as JSON.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './run.mjs';

const kindOf = (file) => {
  const suffix = /\.(db|http|net)\.test\.(ts|mjs)$/.exec(file)?.[1];
  if (suffix) return { db: 'database', http: 'HTTP', net: 'network' }[suffix];
  return file.includes('/apps/web/') ? 'web' : 'unit';
};

const read = (path) => (existsSync(path) ? [JSON.parse(readFileSync(path, 'utf8'))] : []);

/** A test file of Vitest as its tests; one that could not be loaded is a test that failed. */
const testsOf = ({ name: file, status, message, assertionResults }) => {
  const shared = { kind: kindOf(file), file: relative(root, file) };
  if (assertionResults.length === 0 && status === 'failed')
    return [{ ...shared, name: 'could not be loaded', status, why: message }];
  return assertionResults.map((test) => ({
    ...shared,
    name: test.fullName,
    // After a failure of what all tests of a file share, none of them runs.
    status: ['passed', 'failed'].includes(test.status) || status === 'failed' ? test.status : 'skipped',
    why: test.failureMessages?.[0],
  }));
};

/** A file of Playwright, or a group of tests in it, as its tests. */
const storiesOf = ({ file, specs = [], suites = [] }) => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      ...{ kind: 'browser', file: `e2e/src/${file}`, name: title },
      status: { expected: 'passed', flaky: 'passed', unexpected: 'failed' }[status],
      why: results.findLast(({ error }) => error)?.error.message,
    })),
  ),
  ...suites.flatMap(storiesOf),
];

/**
 * @param vitest paths of what was written, once for each run; one that is not there counts nothing
 * @param playwright the same
 * @returns each test with its kind, file, name, status (`passed`, `failed`, `skipped`) and why it failed, be it once only
 */
export const readTests = ({ vitest, playwright = [] }) => [
  ...vitest.flatMap(read).flatMap(({ testResults }) => testResults.flatMap(testsOf)),
  ...playwright.flatMap(read).flatMap(({ suites }) => suites.flatMap(storiesOf)),
];

const list = (title, tests) => {
  if (tests.length > 0) console.log(`\n${title}`);
  for (const { file, name, why = '' } of tests)
    console.log(`  ${file}: ${name}\n    ${why.split('\n', 1)[0].slice(0, 300)}`);
};

/** Prints which tests failed and how many of each kind did not, and whether there were some and all passed. */
export const reportTests = (tests) => {
  const failed = tests.filter(({ status }) => status === 'failed');
  list('Failed', failed);
  list(
    'Passed on another try only',
    tests.filter(({ status, why }) => status === 'passed' && why !== undefined),
  );
  const count = (kind, status) =>
    tests.filter((test) => test.status === status && (kind === undefined || test.kind === kind)).length;
  const counts = (kind) => `${count(kind, 'passed')} passed, ${count(kind, 'failed')} failed`;
  console.log('\nTests by kind');
  for (const kind of new Set(tests.map((test) => test.kind)))
    console.log(`  ${kind.padEnd(10)} ${counts(kind)}`);
  console.log(`\n${counts()}`);
  return failed.length === 0 && count(undefined, 'passed') > 0;
};
