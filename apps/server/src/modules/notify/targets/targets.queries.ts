import type { Language } from '@simcube/contract';
import type { Channel } from '@simcube/contract/notify';
import type { Sql } from '../../../platform/db/index.ts';
import { sealedColumn } from '../../../platform/secrets/index.ts';

interface Where {
  orgId: number;
  kind: Channel;
}

/** A target that is locked until the transaction ends. */
export interface LockedTarget {
  id: number;
  version: number;
  kind: Channel;
  name: string;
  addresses: string[];
  paused_for: 'failing' | 'gone' | null;
}

export const countTargets = async (tx: Sql, { orgId, kind }: Where): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      'select count(*)::int as count from notification_targets where org_id = $1 and kind = $2',
      [orgId, kind],
    )
  ).rows[0]?.count ?? 0;

export const isNameTaken = async (
  tx: Sql,
  { orgId, kind, name, exceptId }: Where & { name: string; exceptId: number | null },
): Promise<boolean> =>
  (
    await tx.query(
      `select from notification_targets where org_id = $1 and kind = $2 and folded(name) = folded($3)
         and id is distinct from $4`,
      [orgId, kind, name, exceptId],
    )
  ).rows.length > 0;

export interface NewTarget extends Where {
  name: string;
  addresses: readonly string[];
  ownerId: string;
  language: Language;
  at: Date;
}

export const insertTarget = async (tx: Sql, target: NewTarget): Promise<number> => {
  const { rows } = await tx.query<{ id: number }>(
    `insert into notification_targets (org_id, kind, name, addresses, owner_id, language, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [target.orgId, target.kind, target.name, target.addresses, target.ownerId, target.language, target.at],
  );
  const [inserted] = rows;
  if (!inserted) throw new Error('The target was not made');
  return inserted.id;
};

/** Locks a target of one kind, or of any kind that people manage together. */
export const lockTarget = async (
  tx: Sql,
  { orgId, kind, id }: { orgId: number; kind?: Channel; id: number },
): Promise<LockedTarget | undefined> =>
  (
    await tx.query<LockedTarget>(
      `select id, version, kind, name, addresses, paused_for from notification_targets
       where id = $1 and org_id = $2 and kind <> 'webhook' and kind = coalesce($3, kind) for update`,
      [id, orgId, kind ?? null],
    )
  ).rows[0];

export const updateTarget = async (
  tx: Sql,
  target: { id: number; name: string; addresses: readonly string[] },
): Promise<void> => {
  await tx.query(
    'update notification_targets set name = $2, addresses = $3, version = version + 1 where id = $1',
    [target.id, target.name, target.addresses],
  );
};

export const deleteTarget = async (tx: Sql, id: number): Promise<void> => {
  await tx.query('delete from delivery_lanes where lane = $1', [id]);
  await tx.query('delete from notification_targets where id = $1', [id]);
};

export interface PausedTarget {
  orgId: number;
  kind: 'api' | 'webhook';
  /** Its identifier: the target's id, or the account whose webhook it is. */
  ref: string;
  /** For a webhook, its host. */
  name: string;
  ownerId: string | null;
  url: string;
}

const pausedTarget = `org_id as "orgId", kind, coalesce(account_id::text, id::text) as ref, owner_id as "ownerId",
  addresses[1] as url, case when kind = 'webhook' then substring(addresses[1] from '//([^/?]+)') else name end as name`;

/** @returns undefined when it is already paused, or no longer exists */
export const pauseTarget = async (
  tx: Sql,
  { id, reason, at }: { id: number; reason: 'failing' | 'gone'; at: Date },
): Promise<PausedTarget | undefined> =>
  (
    await tx.query<PausedTarget>(
      `update notification_targets set paused_at = $3, paused_for = $2 where id = $1 and paused_at is null
       returning ${pausedTarget}`,
      [id, reason, at],
    )
  ).rows[0];

export const findTarget = async (tx: Sql, id: number): Promise<PausedTarget | undefined> =>
  (await tx.query<PausedTarget>(`select ${pausedTarget} from notification_targets where id = $1`, [id]))
    .rows[0];

/** Resets it as if it had never failed. */
export const resumeTarget = async (tx: Sql, id: number): Promise<void> => {
  await tx.query('delete from delivery_lanes where lane = $1', [id]);
  await tx.query('update notification_targets set paused_at = null, paused_for = null where id = $1', [id]);
};

/** The newest secret of a target; the previous one signs until `formerUntil`, older ones no longer. */
export const insertSecret = async (
  tx: Sql,
  secret: { targetId: number; sealed: Buffer; at: Date; formerUntil: Date },
): Promise<void> => {
  await tx.query('delete from target_secrets where target_id = $1 and expires_at is not null', [
    secret.targetId,
  ]);
  await tx.query('update target_secrets set expires_at = $2 where target_id = $1', [
    secret.targetId,
    secret.formerUntil,
  ]);
  await tx.query('insert into target_secrets (target_id, sealed, created_at) values ($1, $2, $3)', [
    secret.targetId,
    secret.sealed,
    secret.at,
  ]);
};

/** The secrets of API targets. */
export const targetSecrets = sealedColumn({
  name: 'API targets and webhooks',
  table: 'target_secrets',
  id: 'bigint',
  column: 'sealed',
  label: 't.name',
  join: 'join notification_targets t on t.id = s.target_id',
});
