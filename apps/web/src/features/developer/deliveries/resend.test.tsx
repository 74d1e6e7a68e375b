import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Button } from 'antd';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import type { DeveloperSearch } from '../search.ts';
import { ResendMany } from './resend.tsx';

const gateway = stubGateway();

const Page = () => {
  const [search, setSearch] = useState<DeveloperSearch>({ tab: 'deliveries' });
  return (
    <>
      <Button onClick={() => setSearch((before) => ({ ...before, search: 'Truck' }))}>{'Filter'}</Button>
      <ResendMany search={search} />
    </>
  );
};

test('the number of the previous filter can not be confirmed for the new one', async () => {
  signedInAs('admin');
  const counts = (failed: number) => success({ waiting: 0, delivered: 0, failed });
  let answer = (): void => undefined;
  gateway.respond('POST /cube/developer/log/notification/counts', ({ body }) =>
    'search' in (body as object) ? new Promise((resolve) => (answer = () => resolve(counts(9)))) : counts(5),
  );
  renderScreen(<Page />);
  expect(await screen.findByRole('button', { name: /^Resend 5 / })).toBeEnabled();
  fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
  expect(screen.getByRole('button', { name: /^Resend 5 / })).toBeDisabled();
  await waitFor(() => expect(gateway.sent).toHaveLength(2));
  answer();
  expect(await screen.findByRole('button', { name: /^Resend 9 / })).toBeEnabled();
});
