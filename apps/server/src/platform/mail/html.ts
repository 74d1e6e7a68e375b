import type { Language } from '@simcube/contract';

/** The content of a mail from top to bottom, as plain text without HTML. */
export interface MailParts {
  language: Language;
  subject: string;
  /** What a mail program's list shows next to the subject. */
  preview: string;
  title: string;
  greeting: string | undefined;
  body: string;
  code: string | undefined;
  button: { href: string; label: string; hint: string } | undefined;
  note: string;
  footer: string;
}

const accent = '#2b59f0';

/** Mail programs load no fonts: each language names fonts that systems include. */
const fonts: Record<Language, { family: string; word: string }> = {
  'en-US': { family: `'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif`, word: `'Segoe UI',Arial` },
  'es-ES': { family: `'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif`, word: `'Segoe UI',Arial` },
  'zh-CN': {
    family: `'PingFang SC','Microsoft YaHei','Noto Sans CJK SC','Noto Sans SC','Segoe UI',sans-serif`,
    word: `'Microsoft YaHei'`,
  },
  'zh-TW': {
    family: `'PingFang TC','Microsoft JhengHei','Noto Sans CJK TC','Noto Sans TC','Segoe UI',sans-serif`,
    word: `'Microsoft JhengHei'`,
  },
};

/**
 * Tables and inline styles, which are all that Outlook's renderer (Word) and web mail support. The style sheet
 * in the head only switches the colours if a program asks for dark ones; Outlook on the web marks that with
 * `[data-ogsc]`.
 */
export const renderHtml = (parts: MailParts): string => {
  const { language, subject, preview, title, greeting, body, code, button, note, footer } = parts;
  const font = fonts[language];
  const paragraph = (text: string, style: string, shade: string) =>
    `<p class="${shade}" style="margin:0 0 16px;${style}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
  const content = [
    `<h1 class="ink" style="margin:0 0 20px;font-size:22px;line-height:30px;font-weight:600;color:#17203a;word-break:break-word;">${escapeHtml(title)}</h1>`,
    greeting && paragraph(greeting, bodyStyle, 'ink'),
    paragraph(body, bodyStyle, 'ink'),
    code && codeBox(code),
    button && buttonBox(button),
    paragraph(note, 'font-size:13px;line-height:20px;color:#5b6478;', 'soft'),
    button && plainAddress(button),
  ];
  return `<!doctype html>
<html lang="${language}" dir="ltr" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {${darkStyles('')}}
${darkStyles('[data-ogsc] ')}
@media (max-width: 480px) { .card { padding: 28px 22px !important; } .page { padding: 16px 10px !important; } }
</style>
<!--[if mso]><style>* { font-family: ${font.word}, sans-serif !important; }</style><![endif]-->
</head>
<body class="page-ground" style="margin:0;padding:0;background-color:#f3f5f9;font-family:${font.family};-webkit-text-size-adjust:100%;">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;line-height:1px;color:#f3f5f9;">${escapeHtml(preview)}${previewFiller}</div>
<table role="presentation" class="page-ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f5f9" style="background-color:#f3f5f9;">
<tr><td class="page" align="center" style="padding:32px 16px;">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
<tr><td class="ink" style="padding:0 4px 16px;font-size:17px;line-height:24px;font-weight:700;color:#17203a;font-family:${font.family};">${mark}SimCube</td></tr>
<tr><td class="card" align="left" bgcolor="#ffffff" style="padding:36px 36px 24px;background-color:#ffffff;border:1px solid #e3e7ef;border-radius:12px;font-family:${font.family};">
${content.filter(Boolean).join('\n')}
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;font-size:12px;line-height:18px;color:#5b6478;font-family:${font.family};">${escapeHtml(footer)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
};

const bodyStyle = 'font-size:15px;line-height:24px;color:#17203a;word-break:break-word;';

/** A square in the accent colour, drawn without an image: programs block images of unknown senders. */
const mark = `<span class="mark" style="color:${accent};">&#9632;</span>&nbsp;`;

/** Keeps the text of the mail out of the preview. */
const previewFiller = '&#847;&zwnj;&nbsp;'.repeat(60);

const darkStyles = (under: string): string => `
  ${under}.page-ground { background-color: #12161f !important; }
  ${under}.card { background-color: #1b2130 !important; border-color: #2c3447 !important; }
  ${under}.ink { color: #eef1f7 !important; }
  ${under}.soft { color: #a3adc2 !important; }
  ${under}.link, ${under}.mark { color: #8ba6ff !important; }
  ${under}.code { background-color: #262e40 !important; color: #ffffff !important; }
`;

const codeBox = (code: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px;"><tr>
<td class="code" bgcolor="#eef2fe" style="padding:14px 24px;background-color:#eef2fe;border-radius:8px;font-family:Consolas,Menlo,'Courier New',monospace;font-size:28px;line-height:36px;font-weight:700;letter-spacing:6px;color:#17203a;">${escapeHtml(code)}</td>
</tr></table>`;

const buttonBox = ({ href, label }: { href: string; label: string }): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;"><tr>
<td align="center" bgcolor="${accent}" style="background-color:${accent};border-radius:8px;mso-padding-alt:12px 26px;"><a href="${escapeHtml(href)}" style="display:inline-block;padding:12px 26px;font-size:15px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px;">${escapeHtml(label)}</a></td>
</tr></table>`;

const plainAddress = ({ href, hint }: { href: string; hint: string }): string =>
  `<p class="soft" style="margin:0 0 12px;padding-top:4px;font-size:12px;line-height:18px;color:#5b6478;">${escapeHtml(hint)}<br><a class="link" href="${escapeHtml(href)}" style="color:${accent};text-decoration:underline;word-break:break-all;">${escapeHtml(href)}</a></p>`;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => entities[mark] ?? mark);
