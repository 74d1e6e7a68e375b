import type { Language, Role } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';

export interface InvitationFacts {
  email: string;
  firstName: string;
  lastName: string;
  locale: Language;
  role: Role;
  oversight: boolean;
  /** Hash of a first password set by the sender; used only if the address is unknown at acceptance. */
  passwordHash: string | null;
}

export interface InvitationRow extends InvitationFacts {
  id: string;
  orgId: number;
  status: 'pending' | 'accepted' | 'revoked';
  expiresAt: Date;
}

const columns = `id, org_id as "orgId", email, first_name as "firstName", last_name as "lastName", locale, role,
  oversight, status, expires_at as "expiresAt", password_hash as "passwordHash"`;

/** Locks the pending invitation of the address, expired or not. */
export const lockPendingInvitation = async (
  tx: Sql,
  { orgId, email }: { orgId: number; email: string },
): Promise<InvitationRow | undefined> =>
  (
    await tx.query<InvitationRow>(
      `select ${columns} from invitations where org_id = $1 and lower(email) = $2 and status = 'pending'
       for update`,
      [orgId, email],
    )
  ).rows[0];

export interface SentInvitation extends InvitationFacts {
  orgId: number;
  tokenHash: Buffer;
  invitedBy: string;
  now: Date;
  expiresAt: Date;
}

const factValues = (sent: SentInvitation) => [
  sent.firstName,
  sent.lastName,
  sent.locale,
  sent.role,
  sent.oversight,
  sent.passwordHash,
  sent.tokenHash,
  sent.invitedBy,
  sent.expiresAt,
];

export const insertInvitation = async (tx: Sql, sent: SentInvitation): Promise<string> => {
  const { rows } = await tx.query<{ id: string }>(
    `insert into invitations (first_name, last_name, locale, role, oversight, password_hash, token_hash, invited_by,
       expires_at, org_id, email, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    [...factValues(sent), sent.orgId, sent.email, sent.now],
  );
  const [row] = rows;
  if (!row) throw new Error('The invitation was not written');
  return row.id;
};

/** The previous link becomes void, because its token is replaced. */
export const renewInvitation = async (tx: Sql, id: string, sent: SentInvitation): Promise<void> => {
  await tx.query(
    `update invitations set first_name = $1, last_name = $2, locale = $3, role = $4, oversight = $5,
       password_hash = $6, token_hash = $7, invited_by = $8, expires_at = $9, created_at = $11
     where id = $10`,
    [...factValues(sent), id, sent.now],
  );
};

export const lockInvitation = async (
  tx: Sql,
  { orgId, id }: { orgId: number; id: string },
): Promise<InvitationRow | undefined> =>
  (
    await tx.query<InvitationRow>(
      `select ${columns} from invitations where org_id = $1 and id = $2 for update`,
      [orgId, id],
    )
  ).rows[0];

const open = `token_hash = $1 and status = 'pending' and expires_at > $2`;

/** The open invitation with this mailed token. */
export const findOpenInvitation = async (
  sql: Sql,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<InvitationRow | undefined> =>
  (await sql.query<InvitationRow>(`select ${columns} from invitations where ${open}`, [tokenHash, now]))
    .rows[0];

/** The same, locked: of two concurrent acceptances or revocations, the second finds none. */
export const lockOpenInvitation = async (
  tx: Sql,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<InvitationRow | undefined> =>
  (
    await tx.query<InvitationRow>(`select ${columns} from invitations where ${open} for update`, [
      tokenHash,
      now,
    ])
  ).rows[0];

/** A first password is not stored longer than the invitation is open. */
export const endInvitation = async (
  tx: Sql,
  { id, status, now }: { id: string; status: 'accepted' | 'revoked'; now: Date },
): Promise<void> => {
  await tx.query('update invitations set status = $2, ended_at = $3, password_hash = null where id = $1', [
    id,
    status,
    now,
  ]);
};

/** Whether the person with this address already belongs to the organisation. */
export const hasMember = async (
  tx: Sql,
  { orgId, email }: { orgId: number; email: string },
): Promise<boolean> =>
  (
    await tx.query(
      `select 1 from memberships m join users u on u.id = m.user_id
       where m.org_id = $1 and lower(u.email) = lower($2)`,
      [orgId, email],
    )
  ).rowCount === 1;
