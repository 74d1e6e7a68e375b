import { minuteMs } from '@simcube/contract/time';
import type { Clock } from '../clock/index.ts';
import { handlerOf, type JobHandler } from '../jobs/index.ts';
import type { Log } from '../log/index.ts';
import type { Vault } from '../secrets/index.ts';
import { openQueuedMail, sendMailJob } from './mail.ts';
import type { QueuedMail } from './message.ts';
import { renderMail } from './render.ts';
import { createTransport, MailRefused, type MailSettings } from './transport.ts';

const retryForMs = 24 * 60 * minuteMs;

export interface MailJobOptions {
  vault: Vault;
  clock: Clock;
  settings: MailSettings;
  log: Log;
}

export const mailJobs = ({ vault, clock, settings, log }: MailJobOptions): JobHandler[] => {
  const transport = createTransport(settings);
  return [
    handlerOf(sendMailJob, async ({ sealed }) => {
      const mail = openQueuedMail(vault, sealed);
      const about = { template: mail.template, to: maskedAddress(mail.to) };
      if (clock.now().getTime() > deadlineOf(mail))
        return log.error(about, 'a mail could not be sent before its deadline and was dropped');
      try {
        const outcome = await transport.send(mail, renderMail(mail));
        log.info({ ...about, ...outcome }, 'mail sent');
      } catch (error) {
        if (!(error instanceof MailRefused && error.isFinal)) throw error;
        log.error({ ...about, err: error }, 'a mail was rejected for good and dropped');
      }
    }),
  ];
};

/** Expired codes and reset links would only confuse; all other mails are attempted for a day. */
const deadlineOf = ({ queuedAt, template, values }: QueuedMail): number => {
  const { minutes } = values;
  const shortLived = template === 'password-reset' || template === 'sign-in-code';
  return Date.parse(queuedAt) + (shortLived && typeof minutes === 'number' ? minutes * minuteMs : retryForMs);
};

/** Enough to recognise the recipient, too little to write to them. */
const maskedAddress = (address: string): string => address.replace(/^(.).*(?=@)/u, '$1***');
