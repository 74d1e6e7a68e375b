// Number of passed tests of each kind, and the failed ones, from the JSON reports of Vitest and Playwright.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './run.mjs';

const kindOf = (file) => {
  const suffix = /\.(db|http|net)\.test\.(ts|mjs)$/.exec(file)?.[1];
  if (suffix) return { db: 'database', http: 'HTTP', net: 'network' }[suffix];
  return file.includes('/apps/web/') ? 'web' : 'unit';
};

const read = (path) => (existsSync(path) ? [JSON.parse(readFileSync(path, 'utf8'))] : []);

/** The tests of a Vitest file; a file that could not be loaded counts as a failed test. */
const vitestTests = ({ name: file, status, message, assertionResults }) => {
  const shared = { kind: kindOf(file), file: relative(root, file) };
  if (assertionResults.length === 0 && status === 'failed')
    return [{ ...shared, name: 'could not be loaded', status, reason: message }];
  return assertionResults.map((test) => ({
    ...shared,
    name: test.fullName,
    // If the shared set-up of a file fails, none of its tests runs.
    status: ['passed', 'failed'].includes(test.status) || status === 'failed' ? test.status : 'skipped',
    reason: test.failureMessages?.[0],
  }));
};

/** The tests of a Playwright file or of a group in it. */
const playwrightTests = ({ file, specs = [], suites = [] }) => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      kind: 'browser',
      file: `e2e/src/${file}`,
      name: title,
      status: { expected: 'passed', flaky: 'passed', unexpected: 'failed' }[status],
      reason: results.findLast(({ error }) => error)?.error.message,
    })),
  ),
  ...suites.flatMap(playwrightTests),
];

/**
 * @param vitest paths of the reports, one per run; missing ones are ignored
 * @param playwright paths of Playwright's reports
 * @returns each test with its kind, file, name, status (`passed`, `failed`, `skipped`) and why it failed, even if only once
 */
export const readTests = ({ vitest, playwright = [] }) => [
  ...vitest.flatMap(read).flatMap(({ testResults }) => testResults.flatMap(vitestTests)),
  ...playwright.flatMap(read).flatMap(({ suites }) => suites.flatMap(playwrightTests)),
];

const list = (title, tests) => {
  if (tests.length > 0) console.log(`\n${title}`);
  for (const { file, name, reason = '' } of tests)
    console.log(`  ${file}: ${name}\n    ${reason.split('\n', 1)[0].slice(0, 300)}`);
};

/** Prints the failed tests and the number of others by kind. Returns whether there were tests and all passed. */
export const reportTests = (tests) => {
  const failed = tests.filter(({ status }) => status === 'failed');
  list('Failed', failed);
  list(
    'Passed on another try only',
    tests.filter(({ status, reason }) => status === 'passed' && reason !== undefined),
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
