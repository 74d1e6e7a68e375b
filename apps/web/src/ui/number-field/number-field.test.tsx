import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { activateLanguage } from '../../lib/language/index.ts';
import { NumberField } from './index.ts';

const Field = ({ digits, initial = null }: { digits: number; initial?: number | null }) => {
  const [value, setValue] = useState<number | null>(initial);
  return (
    <>
      <NumberField aria-label="Amount" onChange={setValue} precision={digits} value={value} />
      <output>{String(value)}</output>
    </>
  );
};

const field = () => screen.getByRole('spinbutton', { name: 'Amount' });
const type = async (text: string): Promise<void> => {
  const user = userEvent.setup();
  await user.clear(field());
  await user.type(field(), text);
  await user.tab();
};

describe('a number in Spanish', () => {
  test('is typed and shown with a decimal comma', async () => {
    await activateLanguage('es-ES');
    render(<Field digits={2} initial={0.5} />);
    expect(field()).toHaveValue('0,50');
    await type('12,5');
    expect(screen.getByRole('status')).toHaveTextContent('12.5');
    expect(field()).toHaveValue('12,50');
  });

  test('that is whole may have points between its thousands', async () => {
    await activateLanguage('es-ES');
    render(<Field digits={0} />);
    await type('1.000');
    expect(screen.getByRole('status')).toHaveTextContent('1000');
  });

  test('can be cleared', async () => {
    await activateLanguage('es-ES');
    render(<Field digits={0} initial={7} />);
    await userEvent.clear(field());
    expect(screen.getByRole('status')).toHaveTextContent('null');
  });
});

test('a number in English has a decimal point, and commas between its thousands', async () => {
  render(<Field digits={2} />);
  await type('1,234.5');
  expect(screen.getByRole('status')).toHaveTextContent('1234.5');
  expect(field()).toHaveValue('1234.50');
});

test('digits of full width are digits', async () => {
  render(<Field digits={0} />);
  await type('８０');
  expect(screen.getByRole('status')).toHaveTextContent('80');
});
