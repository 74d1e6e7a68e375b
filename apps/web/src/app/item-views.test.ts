import { expect, test } from 'vitest';
import { itemViews } from './item-views.ts';
import { screenPaths } from './route-paths.ts';

test.each(Object.entries(itemViews))(
  'the path of an item of the kind %s matches a route, and encodes its label',
  (_, view) => {
    const [screen = '', label = '', ...more] = view.path('8986/ ?1').split('/');
    expect(decodeURIComponent(label)).toBe('8986/ ?1');
    expect(more).toEqual([]);
    expect(screenPaths.some((path) => path.startsWith(`${screen}/$`))).toBe(true);
  },
);
