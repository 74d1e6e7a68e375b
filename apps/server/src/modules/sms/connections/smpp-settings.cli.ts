import type { Command } from 'commander';
import { argumentParser } from '../../../platform/cli/index.ts';
import { smppFields } from './connections.service.ts';
import type { SmppSettings } from './smpp-settings.rules.ts';

/** `auto` instead of null, which Commander takes for an option without a value. */
type TypeOrAuto = number | 'auto';

export interface SmppOptions {
  systemType?: string;
  serviceType?: string;
  sourceTon?: TypeOrAuto;
  sourceNpi?: TypeOrAuto;
  alphanumericTon?: TypeOrAuto;
  alphanumericNpi?: TypeOrAuto;
  destinationTon?: TypeOrAuto;
  destinationNpi?: TypeOrAuto;
  addressRange?: string;
  addressRangeTon?: number;
  addressRangeNpi?: number;
}

const descriptions: Readonly<Record<keyof SmppSettings, string>> = {
  system_type: 'system_type of the bind, if the SMSC requires one',
  service_type: 'service_type of submits, if the SMSC requires one',
  source_ton: 'TON of senders that are numbers, or auto: by form (new connection: auto)',
  source_npi: 'NPI of senders that are numbers, or auto (new connection: auto)',
  alphanumeric_ton: 'TON of alphanumeric senders, or auto: 5 (new connection: auto)',
  alphanumeric_npi: 'NPI of alphanumeric senders, or auto: 0 (new connection: auto)',
  destination_ton: 'TON of destinations, or auto: by form (new connection: auto)',
  destination_npi: 'NPI of destinations, or auto (new connection: auto)',
  address_range: 'address_range of the bind, if the SMSC requires one',
  address_range_ton: 'TON of the address range (new connection: 0)',
  address_range_npi: 'NPI of the address range (new connection: 0)',
};

/** Options for what the SMSC requires in binds and submits, named after their settings. */
export const addSmppOptions = (command: Command): Command => {
  for (const name of Object.keys(descriptions) as (keyof SmppSettings)[]) {
    const option = `--${name.replaceAll('_', '-')} <${name.split('_').at(-1)}>`;
    command.option(option, descriptions[name], argumentParser(smppFields[name]));
  }
  return command;
};

export const smppSettingsOf = (options: SmppOptions) => ({
  system_type: options.systemType,
  service_type: options.serviceType,
  source_ton: orNull(options.sourceTon),
  source_npi: orNull(options.sourceNpi),
  alphanumeric_ton: orNull(options.alphanumericTon),
  alphanumeric_npi: orNull(options.alphanumericNpi),
  destination_ton: orNull(options.destinationTon),
  destination_npi: orNull(options.destinationNpi),
  address_range: options.addressRange,
  address_range_ton: options.addressRangeTon,
  address_range_npi: options.addressRangeNpi,
});

const orNull = (value: TypeOrAuto | undefined): number | null | undefined =>
  value === 'auto' ? null : value;
