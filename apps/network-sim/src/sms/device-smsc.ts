import type { SimDevice } from '../demo-devices.ts';
import { Random } from '../random.ts';
import { alarmOf, type Handling, handlingOf } from './sms-device.ts';
import { type Smsc, type SmscOptions, startSmsc } from './smsc.ts';

export interface DeviceSmscOptions extends Omit<SmscOptions, 'handle'> {
  devices: readonly SimDevice[];
  seed: number;
  /** Mean time between unprompted messages of devices. */
  alarmEveryMs: number;
}

/** An SMSC whose devices reply to commands, are unavailable for a while, reject, reply late, and sometimes send unprompted messages. */
export async function startDeviceSmsc(options: DeviceSmscOptions): Promise<Smsc> {
  const { devices, seed, alarmEveryMs } = options;
  const reachable = devices.filter(({ msisdn }) => msisdn !== '');
  const byNumber = new Map(reachable.map((device) => [device.msisdn, { device, received: 0 }]));
  const handle = (to: string, text: string): Handling | undefined => {
    const recipient = byNumber.get(to);
    if (!recipient) return undefined;
    recipient.received += 1;
    return handlingOf(recipient.device, { text, nth: recipient.received, seed });
  };
  const smsc = await startSmsc({ ...options, handle });
  const random = new Random(seed, 3);
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(() => {
      const device = reachable[random.integer(reachable.length)];
      if (device) smsc.send(device.msisdn, alarmOf(device));
      wait();
    }, random.exponential(alarmEveryMs));
  };
  wait();
  return {
    port: smsc.port,
    stats: () => smsc.stats(),
    send: (from, text) => smsc.send(from, text),
    stop: async () => {
      clearTimeout(timer);
      await smsc.stop();
    },
  };
}
