import { createDirectMailer, createMail, mailJobs } from '../platform/mail/index.ts';
import type { Context } from './context.ts';

/**
 * The mails of this process: those sent by a job, and the server for other senders. Links point to
 * SIMCUBE_PUBLIC_URL, else to the address at which this process listens, whose port may differ from the
 * settings if that was taken.
 */
export const mailOf = ({ env, log, clock, vault }: Pick<Context, 'env' | 'log' | 'clock' | 'vault'>) => {
  const { host, port } = env.http;
  let listeningUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = () => env.publicUrl ?? listeningUrl;
  return {
    publicUrl,
    mail: createMail({ vault, clock, from: env.mail.from, publicUrl }),
    mailer: createDirectMailer({ settings: env.mail, publicUrl }),
    jobs: mailJobs({ vault, clock, settings: env.mail, log }),
    reachableAt(url: string): void {
      listeningUrl = url;
    },
  };
};
