import { describe, expect, it } from 'vitest';
import { changedSmppSettings, defaultSmppSettings, destinationOf, sourceOf } from './smpp-settings.rules.ts';

const settings = {
  ...defaultSmppSettings,
  source_ton: 2,
  source_npi: 8,
  alphanumeric_ton: 6,
  alphanumeric_npi: 9,
  destination_ton: 3,
  destination_npi: 4,
};

describe('the address of a submit', () => {
  it('has the type of a number or of a name, as the connection requires', () => {
    expect(sourceOf('+4915112345678', settings)).toMatchObject({ ton: 2, npi: 8 });
    expect(sourceOf('72345', settings)).toMatchObject({ ton: 2, npi: 8 });
    for (const name of ['BANK', '4you', 'you4', '+49a'])
      expect(sourceOf(name, settings), name).toMatchObject({ ton: 6, npi: 9, address: name });
    expect(destinationOf('88213001', settings)).toEqual({ ton: 3, npi: 4, address: '88213001' });
  });

  it('is left to the SMSC without a sender', () => {
    expect(sourceOf(null, settings)).toEqual({ ton: 0, npi: 0, address: '' });
  });
});

it('settings of a connection are listed if they are not the usual ones', () => {
  expect(changedSmppSettings(defaultSmppSettings)).toBe('');
  expect(changedSmppSettings({ ...defaultSmppSettings, system_type: 'VMA', source_ton: 0 })).toBe(
    'system_type=VMA source_ton=0',
  );
});
