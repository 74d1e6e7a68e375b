import { type AttributeWriter, attribute } from '@simcube/radius';

/** "No limit" for gateways that keep a rate until they get another one: the attribute's maximum value. */
const unlimitedBitsPerSecond = 0xffff_ffff;

/**
 * Adds a rate in the attribute that this kind of gateway understands (`radius_clients.rate_attribute`); null lifts a
 * previous rate. WISPr uses bits per second, with one attribute for each direction.
 */
export const addRate = (writer: AttributeWriter, rateAttribute: string, kbps: number | null): void => {
  if (rateAttribute === attribute.mikrotikRateLimit.name) {
    writer.add(attribute.mikrotikRateLimit, kbps === null ? '0/0' : `${kbps}k/${kbps}k`);
    return;
  }
  const bitsPerSecond = kbps === null ? unlimitedBitsPerSecond : kbps * 1000;
  writer
    .add(attribute.wisprBandwidthMaxUp, bitsPerSecond)
    .add(attribute.wisprBandwidthMaxDown, bitsPerSecond);
};

/** Names that `radius_clients.rate_attribute` may have. */
export const rateAttributes = [
  attribute.wisprBandwidthMaxDown.name,
  attribute.mikrotikRateLimit.name,
] as const;
