import { languages } from '@simcube/contract';
import {
  membershipSchema,
  permissionMapSchema,
  roleSchema,
  signInResponseSchema,
} from '@simcube/contract/identity';
import { z } from 'zod';

/** How one value in browser storage is written and read; a value that can't be read counts as absent. */
export interface Entry<T> {
  read: (raw: string) => T | null;
  write: (value: T) => string;
}

const plain = <T extends string>(schema: z.ZodType<T>): Entry<T> => ({
  read: (raw) => schema.safeParse(raw).data ?? null,
  write: (value) => value,
});

const json = <T>(schema: z.ZodType<T>): Entry<T> => ({
  read: (raw) => {
    try {
      return schema.safeParse(JSON.parse(raw)).data ?? null;
    } catch {
      return null;
    }
  },
  write: (value) => JSON.stringify(value),
});

const text = plain(z.string().min(1).max(4096));

/** Names are exactly those of the specification (section 3, *Browser-stored data*). */
export const entries = {
  token: text,
  partnerCode: text,
  rolesInfo: json(z.array(membershipSchema)),
  permissionsInfo: json(z.partialRecord(roleSchema, permissionMapSchema)),
  tenantId: text,
  userId: text,
  username: text,
  userEmail: text,
  /** The person's language: chosen in this browser, else their account's. The page's is in its path. */
  lang: plain(z.enum(languages)),
  /** The language that was chosen in this browser; it has priority over the account's. */
  chosenLang: plain(z.enum(languages)),
  TimeZone: plain(z.enum(['UTC', 'LOCAL'])),
  sharedPool: json(z.array(z.string())),
  /** A setting of the installation: whole hours that business days are ahead of UTC. */
  dayOffset: json(signInResponseSchema.shape.dayOffset),
  loginsCount: json(z.number().int().nonnegative()),
  redirectUrl: text,
  /** The person of this tab and the organisation they work in. */
  workedIn: json(z.object({ userId: z.string(), code: z.string(), membership: membershipSchema.optional() })),
  /** Writes from this tab without a response, oldest first: digest, idempotency key, and what the person agreed to. */
  pendingWrites: json(
    z.array(
      z.object({ write: z.string(), key: z.string(), agreed: z.record(z.string(), z.string()).optional() }),
    ),
  ),
  menuState: json(z.object({ collapsed: z.boolean(), lastMenuKey: z.string().nullable() })),
  /** Whether the welcome of the very first sign-in has been closed. */
  welcomed: json(z.boolean()),
  /** Recently opened objects, newest first, by person and organisation. */
  recentPlaces: json(z.record(z.string(), z.array(z.object({ path: z.string(), title: z.string() })))),
  theme: plain(z.enum(['light', 'dark', 'system'])),
  /** Row height of all tables. */
  density: plain(z.enum(['comfortable', 'compact'])),
} as const;

export type EntryName = keyof typeof entries;
export type EntryValue<N extends EntryName> = (typeof entries)[N] extends Entry<infer T> ? T : never;

/** Entries of one tab: when the session ends, other tabs are on other pages. */
export const tabEntries: readonly EntryName[] = ['redirectUrl', 'workedIn', 'pendingWrites'];

/** Removed when the session ends; the other entries are the person's settings for this browser. */
export const personalEntries = [
  'token',
  'partnerCode',
  'rolesInfo',
  'permissionsInfo',
  'tenantId',
  'userId',
  'username',
  'userEmail',
  'sharedPool',
  'dayOffset',
  'loginsCount',
  'redirectUrl',
  'pendingWrites',
  'menuState',
  'welcomed',
  'recentPlaces',
] as const satisfies readonly EntryName[];
