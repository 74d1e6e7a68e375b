export { createDirectMailer, type DirectMail, type DirectMailer } from './direct-mailer.ts';
export { type MailJobOptions, mailJobs } from './job.ts';
export { createMail, type Mail, type MailOptions, openQueuedMail, sendMailJob } from './mail.ts';
export type { MailLink, MailMessage, MailTemplate, MailValues } from './message.ts';
export { renderMail } from './render.ts';
export { MailRefused, smtpOptions } from './transport.ts';
