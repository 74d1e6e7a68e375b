import { limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { RecipientFields, RecipientMethods } from './recipient-fields.tsx';
import { useRecipients } from './use-recipients.ts';

const gateway = stubGateway();
const call = 'POST /cube/sim/list/identifiers';
const iccid = '89860012300004518823';
let chosen: { selection: SimSelection | undefined; isIncomplete: boolean };

const Chooser = () => {
  const recipients = useRecipients({});
  chosen = recipients;
  return (
    <>
      <RecipientMethods label="To" recipients={recipients} />
      <RecipientFields recipients={recipients} />
    </>
  );
};

beforeEach(() => signedInAs('admin'));

test('while a tag is wrong, messages are for no wider selection, and it says why', async () => {
  const { user } = renderScreen(<Chooser />);
  await user.click(await screen.findByText('Filter'));
  const tags = await screen.findByLabelText('With all of these tags');
  await user.type(tags, 'too-long-tag,');
  expect(chosen).toMatchObject({ selection: undefined, isIncomplete: true });
  expect(await screen.findByRole('alert')).toHaveTextContent('too-long-tag');
  await user.click(screen.getByLabelText('Remove too-long-tag'));
  const accepted = Array.from({ length: limits.tags.perSim }, (_, index) => `t${index}`);
  await user.type(tags, `${accepted.join(',')},`);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(chosen.selection).toEqual({ filter: { lifecycle: ['active'], tags: accepted } });
  await user.type(tags, 't,');
  expect(chosen.selection).toBeUndefined();
  expect(await screen.findByRole('alert')).toHaveTextContent(String(limits.tags.perSim));
});

test('what was entered by one method is kept while another is shown', async () => {
  gateway.respond(call, () => success({ iccids: [iccid], not_found: [], duplicates: 0 }));
  const { user } = renderScreen(<Chooser />);
  await user.click(await screen.findByLabelText('ICCIDs of the recipients'));
  await user.paste(iccid);
  await user.click(screen.getByText('Filter'));
  await user.type(await screen.findByLabelText('With all of these tags'), 'berlin,');
  await user.click(screen.getByText('File'));
  // A file would replace the list, which is used until then.
  expect(await screen.findByText('1 of 1,000')).toBeInTheDocument();
  await waitFor(() => expect(chosen).toMatchObject({ selection: { iccids: [iccid] }, isIncomplete: false }));
  await user.click(screen.getByText('Filter'));
  expect(chosen.selection).toEqual({ filter: { lifecycle: ['active'], tags: ['berlin'] } });
});

test('what is too long for an identifier is not found, instead of failing the others', async () => {
  const url = `https://portal.example/sims/${iccid}/${'x'.repeat(40)}`;
  gateway.respond(call, ({ body }) =>
    success({ iccids: (body as { identifiers: string[] }).identifiers, not_found: [], duplicates: 0 }),
  );
  const { user } = renderScreen(<Chooser />);
  await user.click(await screen.findByLabelText('ICCIDs of the recipients'));
  await user.paste(`${iccid} ${url}`);
  await waitFor(() => expect(chosen.selection).toEqual({ iccids: [iccid] }));
  expect(screen.getByText('1 not yours')).toBeInTheDocument();
});

test('SIMs that could not be looked up can be looked up again', async () => {
  gateway.respond(call, () => errorResponse({ http: 403, code: 'CB-99-0403', message: 'Permission denied' }));
  const { user } = renderScreen(<Chooser />);
  await user.click(await screen.findByLabelText('ICCIDs of the recipients'));
  await user.paste(iccid);
  expect(await screen.findByText('Permission denied')).toBeInTheDocument();
  expect(chosen).toMatchObject({ selection: undefined, isIncomplete: true });
  gateway.respond(call, () => success({ iccids: [iccid], not_found: [], duplicates: 0 }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(chosen.selection).toEqual({ iccids: [iccid] }));
  expect(screen.queryByText('Permission denied')).toBeNull();
});
