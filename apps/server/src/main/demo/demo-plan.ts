import { dayMs } from '@simcube/contract/time';
import { type DemoDevice, deviceKinds } from '@simcube/network-sim';
import { orderEnd } from '../../modules/bundle/index.ts';
import { demoBundleOf } from './demo-catalogue.ts';

/** The history of one SIM of the demonstration. */
export interface DemoSim {
  device: DemoDevice;
  orgCode: string;
  technology: string;
  shippedAt: Date;
  /** In chronological order; empty for a SIM that still waits for its activation. */
  steps: readonly DemoStep[];
  /** When it uses data; undefined for never. */
  inUse: { fromMs: number; untilMs: number } | undefined;
}

export interface DemoStep {
  kind: 'activate' | 'suspend' | 'end' | 'terminate';
  at: Date;
}

/** Steps are on every fifth day: SIMs come in batches, which are fast to make. */
const batchDays = 5;
const graceDays = 90;

/** The whole plan, always the same for the same devices and day. */
export const demoPlan = (devices: readonly DemoDevice[], now: Date): DemoSim[] =>
  devices.map((device) => {
    const random = randomOf(device.index);
    const steps = stepsOf(device, { now, random });
    const [first, second] = steps;
    const untilMs = second ? second.at.getTime() : now.getTime();
    return {
      device,
      orgCode: ownerOf(device, random()),
      technology: random() < 0.8 ? 'one IMSI' : 'multi IMSI',
      shippedAt: new Date((first?.at ?? daysBefore(now, 20)).getTime() - 12 * dayMs),
      steps,
      inUse: first && { fromMs: first.at.getTime(), untilMs },
    };
  });

interface StepContext {
  now: Date;
  random: () => number;
}

const stepsOf = (device: DemoDevice, { now, random }: StepContext): DemoStep[] => {
  const days = demoBundleOf(device.kind).duration_days;
  const fate = random();
  const spread = random();
  const step = (kind: DemoStep['kind'], daysAgo: number): DemoStep => ({ kind, at: batchDay(now, daysAgo) });
  if (fate < 0.14) return [];
  // Half a year, or close to the end of the order: some SIMs expire soon.
  const longest = Math.min(days ?? 400, 400) - 2 * batchDays;
  if (fate < 0.8) return [step('activate', 3 + spread * longest)];
  if (fate < 0.9) {
    const active = step('activate', 40 + spread * (longest - 40));
    return [active, step('suspend', 2 + random() * 30)];
  }
  if (days === null) return [step('activate', 60 + spread * 300), step('suspend', 10 + random() * 40)];
  const ended = fate < 0.965 ? 3 + spread * (graceDays - 10) : graceDays + 5 + spread * 20;
  const active = step('activate', days + ended);
  const end: DemoStep = { kind: 'end', at: orderEnd(active.at, days) ?? active.at };
  if (fate < 0.965) return [active, end];
  return [active, end, { kind: 'terminate', at: new Date(end.at.getTime() + graceDays * dayMs) }];
};

const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * dayMs);

/** 08:00 UTC of the batch day this many days ago. */
const batchDay = (now: Date, daysAgo: number): Date => {
  const day = Math.floor(daysBefore(now, daysAgo).getTime() / dayMs);
  return new Date((day - (day % batchDays)) * dayMs + dayMs / 3);
};

const ownerOf = ({ kind, baseCountry }: DemoDevice, random: number): string => {
  if (kind === 'meter') return random < 0.45 ? 'NORDWIND' : random < 0.6 ? 'NORDWIND-GRID' : 'ACME';
  if (kind === 'kiosk' || kind === 'camera') return random < 0.5 ? 'BLUECART' : 'ACME';
  if (random < 0.7) return 'ACME';
  return baseCountry === 'ES' || baseCountry === 'PT' ? 'ACME-IBERIA' : 'ACME-NORTH';
};

/** A sequence of numbers from 0 to 1 for this device (a small mixing generator; nothing here is secret). */
const randomOf = (index: number): (() => number) => {
  let state = (index + 1) * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Rows of the inventory file that creates the SIMs. */
export function* inventoryLines(plan: readonly DemoSim[]): Generator<string> {
  yield 'iccid,imsi,msisdn,imei,organisation_code,device_name,notes,tags,delivery_note_number,shipment_on,chip_grade,technology,apn,pre_activation_ends_at\n';
  for (const { device, orgCode, technology, shippedAt, steps } of plan) {
    const delivery = Math.floor(shippedAt.getTime() / dayMs / batchDays) % 90_000;
    const grade =
      device.kind === 'truck' ? 'automotive' : device.kind === 'kiosk' ? 'consumer' : 'industrial';
    const waitsUntil = steps.length === 0 ? new Date(shippedAt.getTime() + 365 * dayMs).toISOString() : '';
    const cells = [
      device.iccid,
      device.imsi,
      device.msisdn,
      // A SIM that was never used has not been in a device.
      steps.length === 0 ? '' : device.imei,
      orgCode,
      device.name,
      `${device.baseCity}, ${device.baseCountry}`,
      device.tags.join(';'),
      `DN-${delivery}`,
      shippedAt.toISOString().slice(0, 10),
      grade,
      technology,
      device.apn || deviceKinds[device.kind].apn,
      waitsUntil,
    ];
    yield `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
  }
}
