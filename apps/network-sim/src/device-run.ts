import type { SessionSelector } from './coa-listener.ts';
import type { SimDevice } from './demo-devices.ts';
import { usageOf } from './device-usage.ts';
import { Random, seedOf } from './random.ts';
import { type DeviceRun, userNameOf } from './session.ts';

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
    framedIpAddress: session.framedIpAddress,
  };
  const isMatch = (Object.keys(values) as (keyof SessionSelector)[]).every(
    (key) => selector[key] === undefined || selector[key] === values[key],
  );
  return isMatch ? run : undefined;
}

/** Address from the gateway's pool, if the server leaves the choice to the gateway. */
export function localAddress({ imsi }: SimDevice): string {
  const number = Number(imsi.slice(-7));
  return `10.${64 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}`;
}
