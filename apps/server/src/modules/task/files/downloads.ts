import { randomBytes } from 'node:crypto';
import { allows, type Language, limits, type PermissionMap } from '@simcube/contract';
import type { FileFormat, TaskType } from '@simcube/contract/task';
import type pg from 'pg';
import type { ApiKeyOfCall, Principal } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type FileResponse, fail } from '../../../platform/http/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { findSessionStart } from '../../identity/index.ts';
import { findPermissions } from '../../org/index.ts';
import type { FileWork } from '../task.operation.ts';
import { consumeDownloadToken, insertDownloadToken, type UsedToken } from '../task.queries.ts';
import { type KindOf, reportOf } from '../task.report.ts';
import { idOfReference } from '../task.rules.ts';
import { findOwnTask, findReport, type TaskOwner } from '../task.views.ts';

interface OwnTaskQuery extends TaskOwner {
  reference: string;
}

export interface DownloadsOptions {
  pool: pg.Pool;
  clock: Clock;
  kindOf: KindOf;
  /** Permission to fetch the file of a task; undefined for tasks that make none. */
  accessOf: (type: TaskType) => FileWork['access'] | undefined;
}

export const createDownloads = ({ pool, clock, kindOf, accessOf }: DownloadsOptions) => {
  /** @throws Failure CB-09-0012 */
  const getOwnTask = async ({ reference, ...owner }: OwnTaskQuery) => {
    const id = idOfReference(reference);
    const task = id === undefined ? undefined : await findOwnTask(pool, { id, ...owner, now: clock.now() });
    return id === undefined || !task ? fail('CB-09-0012') : { id, task };
  };

  /** Whether its maker could make the token now: a membership, a permission or a session may have ended since. */
  const isStillPermitted = async (
    { type, userId, tenantId, keyId }: UsedToken,
    { sessionId, address }: { sessionId: string | undefined; address: string },
  ): Promise<boolean> => {
    const sessionBeganAt = sessionId ? await findSessionStart(pool, { userId, sessionId }) : null;
    if (sessionBeganAt === undefined) return false;
    const permissions = await findPermissions(pool, { userId, tenantId, sessionBeganAt, address });
    const access = accessOf(type);
    return (
      permissions !== undefined &&
      (keyId === null || allows(permissions, 'cube-developer-key', 'read')) &&
      (access === undefined || allows(permissions, access.key, access.action))
    );
  };

  return {
    getOwnTask,

    /**
     * A token for one download of a task's report; it ends with the API key or the session that makes it.
     * @throws Failure CB-09-0012, CB-09-0014; CB-00-0403 without permission to see the file's contents
     */
    async makeToken(
      request: OwnTaskQuery &
        Pick<Principal, 'sessionId'> & { key: ApiKeyOfCall | undefined; permissions: PermissionMap },
      format: FileFormat,
    ): Promise<{ token: string }> {
      const { id, task } = await getOwnTask(request);
      const access = accessOf(task.type);
      if (access && !allows(request.permissions, access.key, access.action)) fail('CB-00-0403');
      if (!(await findReport(pool, id))) fail('CB-09-0014');
      const random = randomBytes(32).toString('base64url');
      const token = `sct_${random}${request.sessionId ? `.${request.sessionId}` : ''}`;
      const defaultExpiry = clock.now().getTime() + limits.downloadTokenSeconds * 1000;
      const expiresAt = new Date(Math.min(defaultExpiry, request.key?.expiresAt?.getTime() ?? defaultExpiry));
      const keyId = request.key?.id ?? null;
      await insertDownloadToken(pool, { hash: hashToken(token), taskId: id, format, expiresAt, keyId });
      return { token };
    },

    /**
     * The report for a token, which this uses up.
     * @throws Failure CB-09-0012 to CB-09-0014
     */
    async download(
      reference: string,
      { token, language, address }: { token: string; language: Language; address: string },
    ): Promise<FileResponse> {
      const taskId = idOfReference(reference) ?? fail('CB-09-0012');
      const now = clock.now();
      const consumed = await consumeDownloadToken(pool, { hash: hashToken(token), taskId, now });
      // A token is found by the hash of all of it, so the session in it is the one that made it.
      const sessionId = token.split('.')[1];
      if (!consumed || !(await isStillPermitted(consumed, { sessionId, address }))) return fail('CB-09-0013');
      return (
        (await reportOf(pool, { taskId, kindOf, format: consumed.format, language, now })) ??
        fail('CB-09-0014')
      );
    },
  };
};
