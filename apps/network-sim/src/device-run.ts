import { attribute, type RadiusPacket, readAttribute } from '@simcube/radius';
import type { SessionSelector } from './coa-listener.ts';
import type { SimDevice } from './demo-devices.ts';
import { usageOf } from './device-usage.ts';
import { Random, seedOf } from './random.ts';
import { type DeviceRun, type SessionAddresses, userNameOf } from './session.ts';

/** An idle device with its own random generator. */
export function createRun(device: SimDevice, seed: number): DeviceRun {
  return {
    device,
    usage: usageOf(device, seed),
    random: new Random(seed, seedOf(device.imsi)),
    phase: 'idle',
    imei: device.imei,
    imeiChanges: 0,
    rejections: 0,
    isRejected: false,
    wasDisconnected: false,
    shiftMs: 0,
    session: undefined,
    turn: 0,
  };
}

/** Returns the run if it matches all attributes of the selector. */
export function matchRun(run: DeviceRun | undefined, selector: SessionSelector): DeviceRun | undefined {
  if (run?.session === undefined) return undefined;
  const { device, session } = run;
  const values: SessionSelector = {
    sessionId: session.id,
    imsi: device.imsi,
    userName: userNameOf(device),
    callingStationId: device.msisdn,
    framedIpAddress: session.addresses.framedIpAddress,
  };
  const isMatch = (Object.keys(values) as (keyof SessionSelector)[]).every(
    (key) => selector[key] === undefined || selector[key] === values[key],
  );
  return isMatch ? run : undefined;
}

/** The addresses that the server gives a session; one from the gateway's pool if it leaves the choice to the gateway. */
export function addressesOf(device: SimDevice, accept: RadiusPacket): SessionAddresses {
  const framedIpAddress = readAttribute(accept, attribute.framedIpAddress);
  const framedIpv6Prefix = readAttribute(accept, attribute.framedIpv6Prefix);
  const interfaceId = readAttribute(accept, attribute.framedInterfaceId);
  // RFC 2865 §5.8: 255.255.255.254 asks the gateway to choose an address.
  const isLocal =
    framedIpAddress?.startsWith('255.255.255.25') ??
    // A device with an IPv6 address alone has no other.
    framedIpv6Prefix === undefined;
  return {
    framedIpAddress: isLocal ? localAddress(device) : framedIpAddress,
    framedIpv6Prefix,
    // A copy, so that the packet is not retained.
    framedInterfaceId: interfaceId && Buffer.from(interfaceId),
  };
}

function localAddress({ imsi }: SimDevice): string {
  const number = Number(imsi.slice(-7));
  return `10.${64 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}`;
}
