import { type Language, languages } from '@simcube/contract';
import { describe, expect, it } from 'vitest';
import {
  type MailTemplate,
  mailTemplates,
  type QueuedMail,
  requireValidAddress,
  sanitizedValues,
} from './message.ts';
import { renderMail } from './render.ts';

const values: Record<MailTemplate, QueuedMail['values']> = {
  invitation: { inviter: 'Ana Ruiz', organisation: 'Northwind', days: 7 },
  'password-reset': { name: 'Bea', minutes: 30 },
  'sign-in-code': { code: '123456', minutes: 10 },
  'password-changed': { name: 'Bea' },
  'two-factor-changed': { name: 'Bea', state: 'enabled' },
};
const link = 'https://console.example.test/en-US/login#invitation=tok&x=1';
const cases = languages.flatMap((language) =>
  mailTemplates.map((template) => [language, template] as [Language, MailTemplate]),
);

describe.each(cases)('%s %s', (language, template) => {
  it('has the same content as text and HTML', () => {
    const mail = renderMail({ language, template, values: values[template], link });
    for (const part of [mail.subject, mail.html, mail.text])
      expect(part).not.toMatch(/\{\{|undefined|\bNaN\b/);
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.html).toContain(`<html lang="${language}"`);
    expect(mail.html).toContain('href="https://console.example.test/en-US/login#invitation=tok&amp;x=1"');
    expect(mail.text).toContain(`\n${link}\n`);
    const { state: _, ...said } = values[template];
    for (const value of Object.values(said)) {
      expect(mail.text).toContain(String(value));
      expect(mail.html).toContain(String(value));
    }
    // Nothing is fetched when the mail is opened: no pictures, fonts or external style sheets.
    expect(mail.html).not.toMatch(/<img|<link|@import|url\(|<script/i);
  });
});

describe('a mail', () => {
  it('differs in every language', () => {
    const titles = cases.map(([language, template]) =>
      renderMail({ language, template, values: values[template], link: undefined }).subject.concat(template),
    );
    expect(new Set(titles).size).toBe(cases.length);
  });

  it('says whether two-factor authentication was turned on or off', () => {
    const said = (state: string) =>
      renderMail({ language: 'en-US', template: 'two-factor-changed', values: { name: 'B', state } }).subject;
    expect([said('enabled'), said('disabled')]).toEqual([
      'Two-factor authentication was turned on',
      'Two-factor authentication was turned off',
    ]);
  });

  it('has a button only with a link, and a greeting only with a name', () => {
    const mail = renderMail({ language: 'en-US', template: 'password-changed', values: { name: '' } });
    expect(mail.html).not.toContain('<a ');
    expect(mail.text).not.toContain('Hello');
  });

  it('escapes hostile values', () => {
    const hostile = `"><img src=x onerror=alert(1)>&{{days}}'`;
    const { html, text } = renderMail({
      language: 'zh-CN',
      template: 'invitation',
      values: { inviter: hostile, organisation: '</title><script>1</script>', days: 7 },
      link: 'https://x.test/"><script>',
    });
    expect(html).not.toMatch(/<img|<script|onerror=alert\(1\)>/);
    expect(html).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;{{days}}&#39;');
    expect(text).toContain(hostile);
  });
});

describe('user text in a mail', () => {
  it('is on one line, keeps its direction and contains no links', () => {
    const { name } = sanitizedValues({
      name: 'Eve\r\nBcc: a@b.test\u0000 \u202egnp.exe\u2028 see https://evil.example/x',
    });
    expect(name).not.toMatch(/[\r\n\0\u202e\u2028]/);
    expect(name).not.toMatch(/:\/\/|\.\p{L}/u);
    expect(String(name).replaceAll('\u2060', '')).toBe(
      'Eve Bcc: a@b.test gnp.exe see https://evil.example/x',
    );
    expect(sanitizedValues({ name: 'x'.repeat(999), n: 7 })).toEqual({ name: 'x'.repeat(200), n: 7 });
    expect(sanitizedValues({ name: 'Dr. O’Neill & 1.5 Söhne' })).toEqual({ name: 'Dr. O’Neill & 1.5 Söhne' });
  });

  it.each([
    '',
    'nobody',
    'a@b',
    'a@b.test\r\nBcc: c@d.test',
    'a@b.test, c@d.test',
    'A <a@b.test>',
    `${'x'.repeat(250)}@b.test`,
  ])('is rejected as recipient: %j', (to) => {
    expect(() => requireValidAddress(to)).toThrow('no valid recipient');
  });
});
