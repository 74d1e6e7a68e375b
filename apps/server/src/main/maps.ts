import type { MapsService } from '../modules/place/index.ts';
import type { Env } from '../platform/env/index.ts';
import { createOutbound } from '../platform/outbound/index.ts';

/** The operator's maps service, called through the guarded client. */
export const mapsOf = ({ mapsUrl, outboundNetworks }: Env): MapsService | undefined =>
  mapsUrl === undefined
    ? undefined
    : { url: mapsUrl, request: createOutbound({ allowedNetworks: outboundNetworks }) };
