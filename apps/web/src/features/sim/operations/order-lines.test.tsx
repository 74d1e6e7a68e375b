import type { OrderLine } from '@simcube/contract/bundle';
import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { ActivationLines, OrderLines } from './order-lines.tsx';

const bundle = { code: 'B30', name: 'EU 5 GB' };
const lineAt = (activation_micros: number, orders = 4): OrderLine => ({
  bundle,
  current: bundle,
  orders,
  at_once: 0,
  current_ends_first: null,
  current_ends_last: null,
  price: { currency: 'EUR', activation_micros, cycle_micros: 0 },
});

describe('the lines of an order', () => {
  test('that differ only in their price are lines of their own, also after the preview changes', () => {
    const city = { ...lineAt(3_000_000, 1), bundle: { code: 'B10', name: 'City 10 MB' } };
    const { rerender } = render(
      <OrderLines lines={[lineAt(1_000_000), lineAt(2_000_000), city]} name="renew" />,
    );
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
    rerender(<OrderLines lines={[city]} name="renew" />);
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByRole('listitem')).toHaveTextContent('1 × City 10 MB');
  });

  test('that start later say which prices apply: of their day, or of the cycle that a top-up joins', () => {
    const { rerender } = render(<OrderLines lines={[lineAt(1_000_000)]} name="renew" />);
    const line = screen.getByRole('listitem');
    expect(line).toHaveTextContent('Today’s prices: those of the day on which they start apply.');
    rerender(<OrderLines lines={[lineAt(1_000_000)]} name="topUp" />);
    expect(line).toHaveTextContent(
      'Prices of the current cycle: those of the cycle in which they start apply.',
    );
    expect(line).not.toHaveTextContent('Today’s');
    rerender(<OrderLines lines={[{ ...lineAt(1_000_000), at_once: 4 }]} name="topUp" />);
    expect(line).not.toHaveTextContent('Prices of');
  });
});

test('the costs of an activation have a total, unless SIMs are left out of the lines', () => {
  const price = { currency: 'EUR', activation_micros: 500_000, cycle_micros: 900_000 };
  const lines = [
    { bundle, orders: 8, price },
    { bundle: { code: 'B10', name: 'City 10 MB' }, orders: 4, price: { ...price, activation_micros: 0 } },
  ];
  const { rerender } = render(<ActivationLines changing={12} lines={lines} />);
  expect(screen.getByRole('row', { name: /Total/ })).toHaveTextContent('Total€4.00€10.80');
  rerender(<ActivationLines changing={13} lines={lines} />);
  expect(screen.queryByRole('row', { name: /Total/ })).not.toBeInTheDocument();
});
