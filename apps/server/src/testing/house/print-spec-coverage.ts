import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { builtOf, type CoverageLine, specCoverage } from './spec-coverage.ts';

// Prints every call and screen of the specification as built or missing; with --summary, only totals. With
// --update, records what is built now as what a test requires from then on.

const print = (title: string, lines: readonly CoverageLine[]): void => {
  let group = '';
  for (const line of lines) {
    if (line.group !== group) {
      group = line.group;
      console.info(`\n${title}: ${group}`);
    }
    console.info(`  ${line.built ? 'built  ' : 'missing'}  ${line.name}`);
  }
};

const total = (lines: readonly CoverageLine[]): string => {
  const built = lines.filter((line) => line.built).length;
  return `${built} of ${lines.length} built, ${lines.length - built} missing`;
};

const coverage = specCoverage();
if (!process.argv.includes('--summary')) {
  print('Calls', coverage.calls);
  print('Screens', coverage.screens);
  console.info('');
}
console.info(`Calls: ${total(coverage.calls)}\nScreens: ${total(coverage.screens)}`);
for (const name of coverage.unknown) console.info(`Not in the specification: ${name}`);
if (process.argv.includes('--update')) {
  const file = fileURLToPath(new URL('./built.json', import.meta.url));
  await writeFile(file, `${JSON.stringify(builtOf(coverage), null, 2)}\n`);
  console.info(`Wrote ${file}`);
}
