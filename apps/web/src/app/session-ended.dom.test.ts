import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { confirmReturnToLogin, useSessionEnded } from './session-ended.ts';

test('a confirmation that nobody gave does not appear in the next session', () => {
  const { result, unmount } = renderHook(useSessionEnded);
  act(() => void confirmReturnToLogin());
  expect(result.current).not.toBeNull();
  unmount();
  expect(renderHook(useSessionEnded).result.current).toBeNull();
});
