import { createLetters, createMail, mailJobs } from '../platform/mail/index.ts';
import type { Context } from './context.ts';

/**
 * The mails of this process: those that a job sends, and the server that takes others. Links lead to SIMCUBE_PUBLIC_URL, else to where this process
 * listens once it does: a taken port may have made it another than the settings say.
 */
export const mailOf = ({ env, log, clock, vault }: Pick<Context, 'env' | 'log' | 'clock' | 'vault'>) => {
  const { host, port } = env.http;
  let listening = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = () => env.publicUrl ?? listening;
  return {
    publicUrl,
    mail: createMail({ vault, clock, from: env.mail.from, publicUrl }),
    letters: createLetters({ settings: env.mail, publicUrl }),
    jobs: mailJobs({ vault, clock, settings: env.mail, log }),
    reachableAt(url: string): void {
      listening = url;
    },
  };
};
