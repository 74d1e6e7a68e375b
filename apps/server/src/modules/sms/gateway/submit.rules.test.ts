import { expect, it } from 'vitest';
import { defaultSmppSettings, type SmppSettings } from '../connections/smpp-settings.rules.ts';
import { submitMessage } from './submit.rules.ts';

const written = (sender: string | null, settings: Partial<SmppSettings> = {}) => {
  const part = { id: 1, part: 1, messageId: 1, destination: '34600000001', content: 'STATUS', sender };
  const connection = { sender: null, default_alphabet: 'gsm7' as const };
  return submitMessage(part, { ...connection, ...defaultSmppSettings, ...settings }, 60);
};

it.each([
  ['34900123456', { ton: 1, npi: 1, address: '34900123456' }],
  ['+34900123456', { ton: 1, npi: 1, address: '34900123456' }],
  ['4900', { ton: 3, npi: 1, address: '4900' }],
  ['SimCube', { ton: 5, npi: 0, address: 'SimCube' }],
  [null, { ton: 0, npi: 0, address: '' }],
])('TON and NPI follow from the form of the addresses by default: %s', (sender, source) => {
  expect(written(sender)).toMatchObject({
    serviceType: '',
    source,
    destination: { ton: 1, npi: 1, address: '34600000001' },
  });
});

it.each([
  ['34900123456', { ton: 2, npi: 8, address: '34900123456' }],
  ['4900', { ton: 2, npi: 8, address: '4900' }],
  ['SimCube', { ton: 0, npi: 9, address: 'SimCube' }],
  [null, { ton: 0, npi: 0, address: '' }],
])('those of the connection are used for its kind of sender: %s', (sender, source) => {
  const numeric = { source_ton: 2, source_npi: 8, destination_ton: 4, destination_npi: 0 };
  expect(written(sender, { ...numeric, alphanumeric_ton: 0, alphanumeric_npi: 9 })).toMatchObject({
    source,
    destination: { ton: 4, npi: 0, address: '34600000001' },
  });
});

it('a TON alone leaves the NPI to the form of the address', () => {
  expect(written('4900', { source_ton: 6 })?.source).toEqual({ ton: 6, npi: 1, address: '4900' });
  expect(written('4900', { source_npi: 0 })?.source).toEqual({ ton: 3, npi: 0, address: '4900' });
});
