import type { WeekTime } from '@simcube/contract/schedule';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { WeekGrid } from './week-grid.tsx';

const Week = ({ initial = [] }: { initial?: WeekTime[] }) => {
  const [times, setTimes] = useState(initial);
  return (
    <>
      <WeekGrid
        disabled={false}
        onChange={(change) => setTimes(change.times)}
        online={undefined}
        times={times}
      />
      <button aria-label="Discard" onClick={() => setTimes(initial)} type="button" />
    </>
  );
};
const cell = (time: string) => screen.getByLabelText(`Add ${time}`);
const pill = (name: string) => screen.getByLabelText(`Time on ${name}`);

test('times are chosen, changed and removed with the keyboard, which never loses the focus', async () => {
  const { user } = renderScreen(<Week />);
  await screen.findByLabelText('Times of the week');
  await user.tab();
  expect(cell('Mon 09:00')).toHaveFocus();
  await user.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}');
  expect(cell('Tue 11:00')).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(pill('Tue, 11:00')).toHaveFocus();
  // Its text is selected.
  await user.keyboard('06:30{Enter}');
  expect(pill('Tue, 06:30')).toHaveFocus();
  await user.keyboard('{Control>}a{/Control}07:45');
  await user.tab();
  expect(screen.getByLabelText('Remove Tue 07:45')).toHaveFocus();
  await user.tab({ shift: true });
  expect(pill('Tue, 07:45')).toHaveFocus();
  await user.tab();
  await user.keyboard(' ');
  expect(screen.queryByLabelText(/^Time on/)).toBeNull();
  expect(cell('Tue 11:00')).toHaveFocus();
  await user.tab();
  expect(cell('Wed 09:00')).toHaveFocus();
});

test('the arrow keys pass over hours that are taken, and a day remains reachable', async () => {
  const { user } = renderScreen(
    <Week
      initial={[
        { day: 1, time: '09:00' },
        { day: 2, time: '08:00' },
      ]}
    />,
  );
  await screen.findByLabelText('Times of the week');
  await user.tab();
  expect(cell('Mon 08:00')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(cell('Mon 10:00')).toHaveFocus();
  await user.keyboard('{ArrowLeft}{ArrowDown}');
  expect(cell('Tue 07:00')).toHaveFocus();
  await user.keyboard('{End}{ArrowRight}{ArrowUp}');
  expect(cell('Mon 23:00')).toHaveFocus();
  await user.keyboard('{Home}{ArrowUp}');
  expect(cell('Mon 00:00')).toHaveFocus();
});

test('a changed time that is discarded is the previous one again', async () => {
  const { user } = renderScreen(<Week initial={[{ day: 1, time: '09:00' }]} />);
  await screen.findByLabelText('Times of the week');
  await user.clear(pill('Mon, 09:00'));
  await user.type(pill('Mon, 09:00'), '06:30{Enter}');
  expect(pill('Mon, 06:30')).toHaveValue('06:30');
  await user.click(screen.getByLabelText('Discard'));
  expect(pill('Mon, 09:00')).toHaveValue('09:00');
});

test('a time is accepted with one digit for the hour; why another one is not is said', async () => {
  const { user } = renderScreen(
    <Week
      initial={[
        { day: 1, time: '09:00' },
        { day: 1, time: '18:00' },
      ]}
    />,
  );
  await screen.findByLabelText('Times of the week');
  const enter = async (name: string, text: string) => {
    await user.clear(pill(name));
    await user.type(pill(name), `${text}{Enter}`);
  };
  await enter('Mon, 09:00', '9:75');
  expect(screen.getByRole('alert')).toHaveTextContent('“9:75” is not a time of day, such as 09:30');
  expect(pill('Mon, 09:00')).toHaveValue('09:00');
  await enter('Mon, 09:00', '18:00');
  expect(screen.getByRole('alert')).toHaveTextContent('Mon 18:00 is already set: the time stays 09:00.');
  await enter('Mon, 09:00', '9:30');
  expect(pill('Mon, 09:30')).toHaveValue('09:30');
  expect(screen.queryByRole('alert')).toBeNull();
});
