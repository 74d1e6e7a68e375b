import {
  attribute,
  decodeUserLocation,
  parseMccMnc,
  type RadiusPacket,
  readAttribute,
} from '@simcube/radius';

/**
 * The visited network of a request (mcc * 1000 + mnc): from 3GPP-SGSN-MCC-MNC, else from 3GPP-User-Location-Info;
 * undefined if neither contains it.
 */
export const visitedPlmn = (packet: RadiusPacket): number | undefined => {
  const mccMnc = readAttribute(packet, attribute.sgsnMccMnc);
  const location = readAttribute(packet, attribute.userLocationInfo);
  const network =
    (mccMnc === undefined ? undefined : parseMccMnc(mccMnc)) ?? (location && decodeUserLocation(location));
  return network && Number(network.mcc) * 1000 + Number(network.mnc);
};
