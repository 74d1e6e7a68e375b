import { renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { activateLanguage } from '../../../lib/language/index.ts';
import { signedInAs } from '../../../testing/people.ts';
import { useMemberColumns } from './member-columns.tsx';
import { longestBar } from './share-bar.tsx';

afterEach(() => activateLanguage('en-US'));

/** In a window of 1,440 px, next to the menu and the page's scroll bar, without the column of check boxes. */
const available = 1171 - 42;

test.each(['en-US', 'es-ES', 'zh-CN', 'zh-TW'] as const)(
  'all columns fit into the page: %s',
  async (language) => {
    signedInAs('user');
    await activateLanguage(language);
    const { result } = renderHook(() => useMemberColumns(1));
    const shown = result.current.filter(({ initiallyHidden }) => !initiallyHidden);
    expect(shown.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(available);
  },
);

test('the longest bar is that of the largest usage or own share', () => {
  expect(longestBar([])).toBe(0);
  expect(longestBar([{ used_bytes: 111, own_bytes: 1024 }])).toBe(1024);
  expect(longestBar([{ used_bytes: 2048, own_bytes: 1024 }])).toBe(2048);
});
