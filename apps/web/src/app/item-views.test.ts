import { expect, test } from 'vitest';
import { itemViews } from './item-views.ts';
import { screenPaths } from './route-paths.ts';

test.each(Object.entries(itemViews))(
  'an item of the kind %s has a page, whatever it is called',
  (_, view) => {
    const [screen = '', label = '', ...more] = view.path('8986/ ?1').split('/');
    expect(decodeURIComponent(label)).toBe('8986/ ?1');
    expect(more).toEqual([]);
    expect(screenPaths.some((path) => path.startsWith(`${screen}/$`))).toBe(true);
  },
);
