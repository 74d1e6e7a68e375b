import { renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { activateLanguage } from '../../../lib/language/index.ts';
import { signedInAs } from '../../../testing/people.ts';
import { useBillColumns } from './bill-columns.tsx';

afterEach(() => activateLanguage('en-US'));

/** In a window of 1,440 px, next to the menu and the page's scroll bar, without the column of actions. */
const available = 1171 - 38;

test.each(['en-US', 'es-ES', 'zh-CN', 'zh-TW'] as const)(
  'all columns fit into the page: %s',
  async (language) => {
    signedInAs('user');
    await activateLanguage(language);
    const { result } = renderHook(() => useBillColumns(undefined));
    const shown = result.current.filter(({ initiallyHidden }) => !initiallyHidden);
    expect(shown.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(available);
  },
);
