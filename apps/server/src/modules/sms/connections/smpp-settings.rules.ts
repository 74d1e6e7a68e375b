import { type Address, addressOf } from '@simcube/smpp';

/** What an SMSC requires in binds and submits (SMPP 3.4, 5.2). A TON or NPI that is null follows from the form of the address. */
export interface SmppSettings {
  system_type: string;
  service_type: string;
  /** Of senders that are numbers. */
  source_ton: number | null;
  source_npi: number | null;
  /** Of senders that are not. */
  alphanumeric_ton: number | null;
  alphanumeric_npi: number | null;
  destination_ton: number | null;
  destination_npi: number | null;
  /** The addresses whose messages the bind receives; empty: all of the account. */
  address_range: string;
  address_range_ton: number;
  address_range_npi: number;
}

export const defaultSmppSettings: SmppSettings = {
  system_type: '',
  service_type: '',
  source_ton: null,
  source_npi: null,
  alphanumeric_ton: null,
  alphanumeric_npi: null,
  destination_ton: null,
  destination_npi: null,
  address_range: '',
  address_range_ton: 0,
  address_range_npi: 0,
};

/** The source of a submit. Without a sender, the SMSC uses its own (4.4.1): then all three fields are zero. */
export const sourceOf = (sender: string | null, settings: SmppSettings): Address => {
  if (sender === null) return { ton: 0, npi: 0, address: '' };
  const isNumber = /^\+?\d+$/.test(sender);
  return isNumber
    ? typed(sender, settings.source_ton, settings.source_npi)
    : typed(sender, settings.alphanumeric_ton, settings.alphanumeric_npi);
};

export const destinationOf = (number: string, settings: SmppSettings): Address =>
  typed(number, settings.destination_ton, settings.destination_npi);

const typed = (text: string, ton: number | null, npi: number | null): Address => {
  const byForm = addressOf(text);
  return { ton: ton ?? byForm.ton, npi: npi ?? byForm.npi, address: byForm.address };
};

/** The settings that differ from their defaults, in words of the protocol. */
export const changedSmppSettings = (settings: SmppSettings): string =>
  Object.entries(defaultSmppSettings)
    .map(([name, value]) => [name, settings[name as keyof SmppSettings], value] as const)
    .filter(([, value, byDefault]) => value !== byDefault)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
