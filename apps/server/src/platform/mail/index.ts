export { type MailJobOptions, mailJobs } from './job.ts';
export { createLetters, type Letter, type Letters } from './letters.ts';
export { createMail, type Mail, type MailOptions, openQueued, sendMailJob } from './mail.ts';
export type { MailLink, MailMessage, MailTemplate, MailValues } from './message.ts';
export { renderMail } from './render.ts';
export { MailRefused, smtpOptions } from './transport.ts';
