import { openQueuedMail, renderMail, sendMailJob } from '../platform/mail/index.ts';
import type { TestApp } from './app.ts';

/** A mail as its receiver would read it. */
export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  link: URL | undefined;
}

/** Takes the mails that were queued and committed since the last call, the oldest first, rendered by the product. */
export const takeMails = async ({
  database: { pool },
  vault,
}: Pick<TestApp, 'database' | 'vault'>): Promise<ReceivedMail[]> => {
  const { rows } = await pool.query<{ id: string; payload: unknown }>(
    `select j.id::text, j.payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1 order by j.id`,
    [sendMailJob.name],
  );
  await pool.query('select graphile_worker.complete_jobs($1::bigint[])', [rows.map(({ id }) => id)]);
  return rows.map(({ payload }) => {
    const mail = openQueuedMail(vault, sendMailJob.payload.parse(payload).sealed);
    const rendered = renderMail(mail);
    const link = /^https?:\/\/\S+$/m.exec(rendered.text)?.[0];
    return { to: mail.to, ...rendered, link: link === undefined ? undefined : new URL(link) };
  });
};
