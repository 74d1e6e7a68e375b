import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { parseCsvLine } from './csv.ts';
import type { SimDevice } from './demo-devices.ts';
import { deviceKindNames, deviceKinds } from './device-kinds.ts';

/** More than the largest fleet that one gateway can simulate. */
const MAX_DEVICES = 1_000_000;

const digitsOf = (min: number, max: number) => z.string().regex(new RegExp(`^\\d{${min},${max}}$`));

const deviceRow = z.object({
  iccid: digitsOf(18, 22),
  imsi: digitsOf(6, 15),
  msisdn: z.union([digitsOf(5, 15), z.literal('')]),
  imei: digitsOf(14, 16),
  apn: z.string().max(100),
  kind: z.enum(deviceKindNames),
  home_plmn: z.union([digitsOf(5, 6), z.literal('')]).optional(),
});

/** An error for the author of the file, with line and field. */
export class DeviceFileError extends Error {
  override readonly name = 'DeviceFileError';
}

/** Reads a device list with a header of at least iccid, imsi, msisdn, imei, apn and kind, in any order. */
export async function readDeviceFile(path: string): Promise<SimDevice[]> {
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const devices: SimDevice[] = [];
  let header: readonly string[] | undefined;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = number === 1 ? text.replace(/^\ufeff/, '') : text;
    if (line.trim() === '') continue;
    const fields = parseCsvLine(line);
    if (fields === undefined) throw new DeviceFileError(`Line ${number}: a quote is not closed`);
    if (header === undefined) header = fields.map((name) => name.trim().toLowerCase());
    else devices.push(deviceOf({ header, fields, number }));
    if (devices.length > MAX_DEVICES) throw new DeviceFileError(`More than ${MAX_DEVICES} devices`);
  }
  return devices;
}

interface Line {
  header: readonly string[];
  fields: readonly string[];
  number: number;
}

function deviceOf({ header, fields, number }: Line): SimDevice {
  const named = Object.fromEntries(header.map((name, index) => [name, (fields[index] ?? '').trim()]));
  const parsed = deviceRow.safeParse(named);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new DeviceFileError(`Line ${number}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { home_plmn: homePlmn, ...device } = parsed.data;
  return {
    ...device,
    apn: device.apn === '' ? deviceKinds[device.kind].apn : device.apn,
    // By default the first five digits of the IMSI: nearly all networks have a two-digit MNC.
    homePlmn: homePlmn === undefined || homePlmn === '' ? device.imsi.slice(0, 5) : homePlmn,
  };
}
