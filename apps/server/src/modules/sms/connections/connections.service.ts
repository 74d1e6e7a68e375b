import { isDeepStrictEqual } from 'node:util';
import { textSchema } from '@simcube/contract';
import { smsSenderSchema } from '@simcube/contract/sms';
import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '../../../platform/access/index.ts';
import { wholeNumber } from '../../../platform/cli/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { UnsealError, type Vault } from '../../../platform/secrets/index.ts';
import { recordAudit } from '../../audit/index.ts';
import {
  type ConnectionRow,
  type ConnectionSettings,
  deleteConnection,
  lockConnection,
  saveConnection,
} from './connections.queries.ts';
import { defaultSmppSettings } from './smpp-settings.rules.ts';

const printable = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/);

/** SMPP 3.4, 4.1: the fields of a bind are ASCII with these maximum lengths. */
export const connectionFields = {
  name: textSchema({ max: 60 }),
  host: z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/),
  port: wholeNumber(1, 65_535),
  bind: z.enum(['transceiver', 'transmitter', 'receiver']),
  systemId: printable(15).min(1),
  sender: smsSenderSchema,
  priority: wholeNumber(0, 1000),
  window: wholeNumber(1, 1000),
  rate: wholeNumber(1, 100_000),
  defaultAlphabet: z.enum(['gsm7', 'latin1', 'ascii']),
};
const passwordSchema = printable(8);

const typesOfNumber = ['0', '1', '2', '3', '4', '5', '6'] as const;
const numberingPlans = ['0', '1', '3', '4', '6', '8', '9', '10', '14', '18'] as const;
const orAuto = (value: string): number | 'auto' => (value === 'auto' ? value : Number(value));
const ton = z.enum(['auto', ...typesOfNumber]).transform(orAuto);
const npi = z.enum(['auto', ...numberingPlans]).transform(orAuto);

/** SMPP 3.4, 4.1 and 5.2.5 to 5.2.11. */
export const smppFields = {
  system_type: printable(12),
  service_type: printable(5),
  source_ton: ton,
  source_npi: npi,
  alphanumeric_ton: ton,
  alphanumeric_npi: npi,
  destination_ton: ton,
  destination_npi: npi,
  address_range: printable(40),
  address_range_ton: z.enum(typesOfNumber).transform(Number),
  address_range_npi: z.enum(numberingPlans).transform(Number),
};

export interface ConnectionOptions {
  pool: pg.Pool;
  clock: Clock;
  actor: Actor;
}

const defaultSettings = {
  port: 2775,
  tls: false,
  bind: 'transceiver' as const,
  sender: null,
  priority: 0,
  window_size: 50,
  rate_per_second: null,
  default_alphabet: 'gsm7' as const,
  ...defaultSmppSettings,
};

/**
 * Adds a connection, or changes the one with that name; omitted options keep their values. The running gateway
 * applies it immediately. Repeating a call changes nothing.
 * @param password undefined keeps the current one; empty is none
 * @throws z.ZodError if the password is too long; Error if a new connection has no host, system id or password
 */
export const addConnection = (
  { pool, clock, actor, vault }: ConnectionOptions & { vault: Vault },
  input: Partial<ConnectionSettings> & { name: string },
  password: string | undefined,
): Promise<ConnectionRow> => {
  const { password: checked } = z.object({ password: passwordSchema.optional() }).parse({ password });
  return inTransaction(pool, async (tx) => {
    const before = await lockConnection(tx, input.name);
    const settings = mergeSettings(input, before);
    if (!before && checked === undefined)
      throw new Error(
        `There is no connection ${input.name} yet: a new one requires a password (--password-stdin), or --no-password`,
      );
    const keepsPassword = before && (checked === undefined || previousPassword(before, vault) === checked);
    if (keepsPassword && isSame(settings, settingsOf(before))) return before;
    const sealedPassword = keepsPassword ? before.sealed_password : vault.seal(checked ?? '');
    const after = await saveConnection(tx, { ...settings, sealedPassword });
    await recordAudit(tx, {
      orgId: null,
      actor,
      at: clock.now(),
      action: before ? 'smsc.changed' : 'smsc.added',
      subject: { kind: 'smsc', id: String(after.id), name: after.name },
      before: before ? { ...settingsOf(before) } : null,
      after: { ...settingsOf(after), ...(!keepsPassword && { password_set: true }) },
    });
    return after;
  });
};

const mergeSettings = (
  input: Partial<ConnectionSettings> & { name: string },
  before: ConnectionRow | undefined,
): ConnectionSettings => {
  const settings = { ...defaultSettings, ...(before && settingsOf(before)), ...input };
  const { host, system_id } = settings;
  if (host === undefined || system_id === undefined)
    throw new Error(`There is no connection ${input.name} yet: a new one requires --host and --system-id`);
  return { ...settings, host, system_id };
};

/** @returns false if there is none with this name */
export const removeConnection = ({ pool, clock, actor }: ConnectionOptions, name: string): Promise<boolean> =>
  inTransaction(pool, async (tx) => {
    const removed = await deleteConnection(tx, name);
    if (!removed) return false;
    await recordAudit(tx, {
      orgId: null,
      actor,
      at: clock.now(),
      action: 'smsc.removed',
      subject: { kind: 'smsc', id: String(removed.id), name },
      before: { ...settingsOf(removed) },
    });
    return true;
  });

/** The previous password; undefined if it can no longer be decrypted, which must not prevent setting a new one. */
const previousPassword = ({ sealed_password }: ConnectionRow, vault: Vault): string | undefined => {
  try {
    return vault.open(sealed_password);
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
};

const isSame = (settings: ConnectionSettings, stored: ConnectionSettings): boolean =>
  isDeepStrictEqual(settings, stored);

/** The settings of a connection that may be shown. */
export const settingsOf = ({
  id: _,
  sealed_password: __,
  state: ___,
  state_at: ____,
  state_error: _____,
  ...settings
}: ConnectionRow): ConnectionSettings => settings;
