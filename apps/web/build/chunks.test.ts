import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { frameParts, pageParts } from './chunks.ts';

it.each([...frameParts, ...pageParts])(
  'the part %s of the kit, which has its place in a chunk, exists',
  (part) => {
    expect(existsSync(new URL(`../src/ui/${part}/`, import.meta.url))).toBe(true);
  },
);
