import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, it } from 'vitest';
import { projectRoot, sourceFiles } from './source-tree.ts';

const modules = 'apps/server/src/modules/';
const files = sourceFiles(
  (path) => path.startsWith(modules) && path.endsWith('.ts') && !path.includes('.test.'),
);

/** A folder of a module, or a file next to its folders: `sim/transfer`, `sim/sim.rules.ts`. */
const placeOf = (path: string): string => path.slice(modules.length).split('/').slice(0, 2).join('/');

/** The places of the same module that a place imports. */
const imports = new Map<string, Set<string>>();
for (const { path, text } of files) {
  const place = placeOf(path);
  const targets = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, target = '']) =>
    join(dirname(path), target),
  );
  for (const target of targets.filter((one) => one.startsWith(modules)).map(placeOf)) {
    const isNeighbour = target !== place && target.split('/')[0] === place.split('/')[0];
    if (isNeighbour) imports.set(place, (imports.get(place) ?? new Set()).add(target));
  }
}

/** A chain of imports from a place back to itself. */
const findCycle = (place: string, chain: readonly string[] = []): readonly string[] | undefined => {
  if (chain.includes(place)) return [...chain.slice(chain.indexOf(place)), place];
  if (acyclic.has(place)) return undefined;
  for (const next of imports.get(place) ?? []) {
    const cycle = findCycle(next, [...chain, place]);
    if (cycle) return cycle;
  }
  acyclic.add(place);
  return undefined;
};
const acyclic = new Set<string>();

it('folders of a module have no import cycles', () => {
  expect(imports.size).toBeGreaterThan(10);
  expect([...imports.keys()].map((place) => findCycle(place)).filter(Boolean)).toEqual([]);
});

/** The rows of the table, in the form of `tiers` in .dependency-cruiser.cjs. */
const tableRows = (): string[] =>
  [
    ...readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8').matchAll(/^\| \d +\| (.*?) +\|$/gm),
  ].map(([, row = '']) =>
    row
      .replaceAll('`', '')
      .replaceAll(', then ', ' > ')
      .replaceAll(/, | and /g, ' '),
  );

it('the table of modules in docs/architecture.md lists every module once', () => {
  const existing = new Set(files.map(({ path }) => path.slice(modules.length).split('/')[0]));
  expect(tableRows().join(' ').match(/\w+/g)?.toSorted()).toEqual([...existing].toSorted());
});

it('the table of modules gives them the order in which they may import each other', () => {
  const rules = readFileSync(join(projectRoot, '.dependency-cruiser.cjs'), 'utf8');
  const [, tiers = ''] = /^const tiers = \[([^\]]*)\]/m.exec(rules) ?? [];
  expect([...tiers.matchAll(/'([^']*)'/g)].map(([, tier]) => tier)).toEqual(tableRows());
});
