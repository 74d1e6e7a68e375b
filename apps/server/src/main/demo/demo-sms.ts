import { randomBytes } from 'node:crypto';
import { type PastSms, smsHistory } from '@simcube/network-sim';
import { operatorActor } from '../../modules/audit/index.ts';
import { addConnection, type PastMessage, storePastMessages } from '../../modules/sms/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { demoOrganisations } from './demo-catalogue.ts';
import { ensureSecretFile } from './demo-files.ts';
import type { DemoSim } from './demo-plan.ts';

/** The number to which devices send: a short code. */
export const smsSender = '2800';
/** SMPP 3.4, 4.1.1: a password has eight characters at most. */
const passwordBytes = 4;

/** Configures the simulator's SMSC on the server. */
export const connectSmsc = async (
  options: Omit<Parameters<typeof addConnection>[0], 'actor'>,
  { port, secretFile }: { port: number; secretFile: string },
): Promise<void> => {
  const password = await ensureSecretFile(secretFile, () => randomBytes(passwordBytes).toString('hex'));
  await addConnection(
    { ...options, actor: operatorActor() },
    {
      name: 'demo',
      host: '127.0.0.1',
      port,
      tls: false,
      bind: 'transceiver',
      system_id: 'simcube',
      system_type: '',
      sender: smsSender,
      priority: 0,
      window_size: 50,
      rate_per_second: null,
    },
    password,
  );
};

/** Messages that people and devices exchanged while the devices were in use. */
export const storeSmsHistory = async (
  tx: Sql,
  { plan, seed, at, days }: { plan: readonly DemoSim[]; seed: number; at: Date; days: number },
): Promise<void> => {
  const sims = new Map(plan.map((sim) => [sim.device.iccid, sim]));
  const orgOf = (message: PastSms<DemoSim['device']>) => sims.get(message.device.iccid)?.orgCode ?? '';
  const past = smsHistory({
    devices: plan.map(({ device }) => device),
    seed,
    untilMs: at.getTime(),
    days,
    activeWindow: ({ iccid }) => sims.get(iccid)?.inUse,
  });
  await storePastMessages(
    tx,
    [...past]
      .filter((message) => message.isFromDevice || !silent.has(orgOf(message)))
      .map((message) => messageOf(message, orgOf(message))),
    smsSender,
  );
};

/** Organisations whose quota allows no messages. */
const silent = new Set(
  demoOrganisations.flatMap(({ code, quota }) => (quota?.kind === 'none' ? [code] : [])),
);

const reasons = {
  DELIVRD: null,
  EXPIRED: 'expired',
  UNDELIV: 'undeliverable',
  REJECTD: 'rejected',
} as const;

const messageOf = (message: PastSms<DemoSim['device']>, orgCode: string): PastMessage => {
  const { device, atMs, text: content } = message;
  const common = { iccid: device.iccid, at: new Date(atMs), content };
  if (message.isFromDevice) return { ...common, sent: null };
  const by = orgCode.startsWith('NORDWIND') ? 'Nora Winter' : (operators[device.index % 2] ?? '');
  return { ...common, sent: { ...outcomeOf(message), by, task: null } };
};

/** The outcome of a message by its receipt from the SMSC. */
export const outcomeOf = ({
  verdict,
  error,
  settledMs,
}: Pick<Extract<PastSms<DemoSim['device']>, { isFromDevice: false }>, 'verdict' | 'error' | 'settledMs'>) => {
  const reason = reasons[verdict];
  return {
    status: reason ? ('failed' as const) : ('delivered' as const),
    reason,
    networkCode: reason && error,
    settledAt: new Date(settledMs),
  };
};

const operators = ['Alba Moreno', 'Olu Adeyemi'];
