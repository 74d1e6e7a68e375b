import { screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import type { OperationValues } from './operation.ts';
import { TagFields } from './tag-fields.tsx';

const gateway = stubGateway();
/** More tags than the server lists at once. */
const tags = Array.from({ length: 201 }, (_, index) => ({ tag: `lot ${index + 1}`, sims: 300 - index }));

beforeEach(() => {
  signedInAs('admin');
  gateway.respond('POST /cube/device/tag', ({ body }) => {
    const { search = '' } = body as { search?: string };
    return success(tags.filter(({ tag }) => tag.includes(search)).slice(0, 200));
  });
});

const Fields = () => {
  const [values, setValues] = useState<OperationValues>({ add: [], remove: [] });
  return (
    <>
      <TagFields currentTags={undefined} disabled={false} onChange={setValues} values={values} />
      <output>{values.remove?.join(', ')}</output>
    </>
  );
};

test('any tag of the organisation can be removed from several SIMs, however many there are', async () => {
  const { user } = renderScreen(<Fields />);
  const remove = await screen.findByRole('combobox', { name: 'Remove tags' });
  await user.type(remove, 'lot 201');
  await user.click(await screen.findByTitle('lot 201'));
  expect(screen.getByRole('status')).toHaveTextContent('lot 201');
  // The search is over: the next tag is chosen from all.
  await user.type(remove, 'lot 20');
  await user.click(await screen.findByTitle('lot 20'));
  expect(screen.getByRole('status')).toHaveTextContent('lot 201, lot 20');
});
