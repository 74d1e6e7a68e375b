import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { guideLinks, guidePage, guidePages, placeOf } from '../features/guide/index.ts';
import { guidePlaceOf, guidePlaces } from './guide-places.ts';

const folder = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url));
const features = fileURLToPath(new URL('../features/', import.meta.url));
/** Paths that the server serves in addition to the console. */
const served = ['/docs'];

const isThere = (from: { name: string | undefined }, to: string): boolean => {
  const place = placeOf(from, to);
  if (!place) return served.includes(to);
  const page = guidePage(place.name)?.page;
  return page !== undefined && (place.id === undefined || page.sections.some(({ id }) => id === place.id));
};

test.each(Object.entries(guidePlaces))('the guide has the page or section for %s: %s', (_, to) => {
  expect(isThere({ name: undefined }, to)).toBe(true);
});

test('links to missing pages and sections are detected', () => {
  expect(isThere({ name: undefined }, 'sims.md#no-such-section')).toBe(false);
  expect(isThere({ name: undefined }, 'no-such-page.md')).toBe(false);
  expect(isThere({ name: 'sims' }, 'https://elsewhere.example')).toBe(false);
});

test('every link in the guide has an existing target', () => {
  expect(guideLinks.filter(({ from, to }) => !isThere(from, to)).map(({ to }) => to)).toEqual([]);
  expect(guideLinks.length).toBeGreaterThan(guidePages.length);
});

test('every link from a screen to a section of the guide has an existing target', () => {
  const screens = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(features + file, 'utf8'));
  const places = screens.flatMap((text) => [...text.matchAll(/\/guide\/(\w+)\?section=([\w-]+)/g)]);
  expect(places).not.toEqual([]);
  for (const [place, name, id] of places)
    expect(isThere({ name: undefined }, `${name}.md#${id}`), place).toBe(true);
});

test('the start page links to every page, and every page belongs to a screen', () => {
  const linked = guideLinks.filter(({ from }) => from.name === undefined).map(({ to }) => to);
  const spokenOf = Object.values(guidePlaces).map((to) => to.replace(/#.*/, ''));
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  expect(guidePages).toHaveLength(files.length + 1);
  for (const file of files) {
    expect(linked, file).toContain(file);
    expect(spokenOf, file).toContain(file);
  }
});

test('every picture exists, is used, and has at most 150 kB', () => {
  const shown = guidePages.flatMap(({ pictures }) => Object.keys(pictures));
  for (const file of shown) expect(existsSync(folder + file), file).toBe(true);
  for (const file of readdirSync(`${folder}images`)) {
    expect(shown).toContain(`images/${file}`);
    expect(statSync(`${folder}images/${file}`).size, file).toBeLessThanOrEqual(150_000);
  }
});

test('the guide section of a screen is found by its route', () => {
  expect(guidePlaceOf('/$lang/simCard/$iccid')).toBe('sims.md#one-sim');
  expect(guidePlaceOf('/$lang/$')).toBeUndefined();
});
