// How many tests of each kind passed and failed, from what Vitest wrote (`--reporter=json`).
import { existsSync, readFileSync } from 'node:fs';

const kindOf = (file) => {
  const suffix = /\.(db|http|net)\.test\.(ts|mjs)$/.exec(file)?.[1];
  if (suffix) return { db: 'database', http: 'HTTP', net: 'network' }[suffix];
  return file.includes('/apps/web/') ? 'web' : 'unit';
};

/**
 * @param paths of what was written, once for each run
 * @returns counts by kind, and the names of tests that did not run in files that passed
 */
export const countTests = (paths) => {
  const counts = new Map();
  const skipped = [];
  const count = (kind, ok) => {
    const entry = counts.get(kind) ?? { passed: 0, failed: 0 };
    entry[ok ? 'passed' : 'failed'] += 1;
    counts.set(kind, entry);
  };
  const written = paths
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')));
  for (const file of written.flatMap(({ testResults }) => testResults)) {
    if (file.assertionResults.length === 0 && file.status === 'failed') count(kindOf(file.name), false);
    for (const test of file.assertionResults) {
      if (test.status === 'passed' || test.status === 'failed')
        count(kindOf(file.name), test.status === 'passed');
      else if (file.status === 'passed') skipped.push(test.fullName);
    }
  }
  return { counts, skipped };
};

/** Prints them, and whether there were some and all passed. */
export const reportCounts = (counts) => {
  console.log('\nTests by kind');
  for (const [kind, { passed, failed }] of counts)
    console.log(`  ${kind.padEnd(10)} ${passed} passed, ${failed} failed`);
  const sum = (which) => [...counts.values()].reduce((total, entry) => total + entry[which], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0 && sum('passed') > 0;
};
