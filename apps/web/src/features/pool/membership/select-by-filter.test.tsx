import { limits } from '@simcube/contract';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { SelectByFilter } from './select-by-filter.tsx';

test('while a tag is wrong, no wider selection is used, and it says why', async () => {
  signedInAs('admin');
  const selected = vi.fn();
  const { user } = renderScreen(
    <SelectByFilter bundle={{ code: 'B', name: 'Bundle' }} disabled={false} onSelection={selected} />,
  );
  const tags = await screen.findByLabelText('Tags');
  await user.type(tags, 'too-long-tag,');
  expect(selected).toHaveBeenLastCalledWith(undefined);
  expect(await screen.findByRole('alert')).toHaveTextContent('too-long-tag');
  await user.click(screen.getByLabelText('Remove too-long-tag'));
  const accepted = Array.from({ length: limits.tags.perSim }, (_, index) => `t${index}`);
  await user.type(tags, `${accepted.join(',')},`);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(selected).toHaveBeenLastCalledWith({ filter: { bundle: ['B'], tags: accepted } });
  await user.type(tags, 't,');
  expect(selected).toHaveBeenLastCalledWith(undefined);
  expect(await screen.findByRole('alert')).toHaveTextContent(String(limits.tags.perSim));
});
