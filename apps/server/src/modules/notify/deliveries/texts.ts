import { type ErrorCode, type Language, languages, limits } from '@simcube/contract';
import type { DeliveryFault, NotificationKind } from '@simcube/contract/notify';
import type { ReportKind } from '@simcube/contract/report';
import { errorText, phrase } from '@simcube/phrases';
import { isGsmText, replaceWithGsm } from '@simcube/smpp/text';
import type { DirectMail } from '../../../platform/mail/index.ts';
import type { OwnTexts } from './notifications.service.ts';

type Fields = Record<string, string | number>;
/** Named values, which may include the organisation's own texts. */
type NotifiedFields = Readonly<Record<string, unknown>>;

/**
 * The organisation's own texts; for readers of a language without one, those of the first of the product's languages
 * that has one.
 */
const ownText = (fields: NotifiedFields, language: Language) => {
  const texts = fields['texts'] as OwnTexts | undefined;
  return [language, ...languages].map((one) => texts?.[one]).find((text) => text !== undefined);
};

const sections = {
  test: 'test',
  'target.failing': 'targetFailing',
  'target.paused': 'targetPaused',
  'schedule.ran': 'scheduleRan',
  'schedule.missed': 'scheduleMissed',
  'autoflow.fired': 'autoflowFired',
  'autoflow.tried': 'autoflowFired',
  'autoflow.failed': 'autoflowFailed',
  'sms.received': 'smsReceived',
  'report.ready': 'reportReady',
} as const;
const webhookSections = { 'target.failing': 'webhookFailing', 'target.paused': 'webhookPaused' } as const;

const sectionOf = (kind: NotificationKind, { of }: NotifiedFields) =>
  of === 'webhook' && (kind === 'target.failing' || kind === 'target.paused')
    ? webhookSections[kind]
    : sections[kind];

/** What becomes of a schedule of which a run did not take place; notifications of earlier versions lack its state. */
const missedNote = ({ state, code }: NotifiedFields) => {
  if (state === 'disabled' || code === 'CB-04-0012') return 'scheduleMissed.noteDisabled';
  return state === 'ended' ? 'scheduleMissed.noteEnded' : 'scheduleMissed.note';
};

/** The values of placeholders, with codes converted to words. */
const valuesOf = (fields: NotifiedFields, language: Language): Fields => ({
  ...(fields as Fields),
  ...('fault' in fields && { reason: phrase(language, `notify.faults.${fields['fault'] as DeliveryFault}`) }),
  ...('at' in fields && { time: `${String(fields['at']).slice(0, 19).replace('T', ' ')} UTC` }),
  ...('kinds' in fields && {
    reports: (fields['kinds'] as readonly ReportKind[])
      .map((kind) => phrase(language, `report.kinds.${kind}`))
      .join(' · '),
  }),
  ...('comparisons' in fields && {
    comparison: (fields['comparisons'] as Record<Language, string>)[language],
  }),
  ...('code' in fields && { reason: reasonOf(fields['code'] as ErrorCode, language) }),
});

/** An error's message without its full stop, which these texts bring themselves. */
const reasonOf = (code: ErrorCode, language: Language): string =>
  errorText(language, code).replace(/[.。]$/, '');

/** The console page that the mail links to. */
const pathOf = (kind: NotificationKind, { id, of, month }: NotifiedFields): string => {
  switch (kind) {
    case 'schedule.ran':
    case 'schedule.missed':
      return `/scheduleSmsDetails?id=${id}`;
    case 'autoflow.tried':
      return '/autoflow';
    case 'autoflow.fired':
    case 'autoflow.failed':
      return `/workFlowOperation?id=${id}`;
    case 'sms.received':
      return `/message?message=${id}`;
    case 'report.ready':
      return `/reports?month=${month}`;
    default:
      return of === 'webhook' ? '/developerView' : '/setCard?tab=groups';
  }
};

/** A notification as a mail, in its reader's language. */
export const emailOf = (
  kind: NotificationKind,
  fields: NotifiedFields,
  language: Language,
): Pick<DirectMail, 'language' | 'content' | 'path'> => {
  const values = valuesOf(fields, language);
  const section = sectionOf(kind, fields);
  const say = (part: 'subject' | 'preview' | 'title') =>
    phrase(language, `notifications.${section}.${part}`, values);
  const note = section === 'scheduleMissed' ? missedNote(fields) : (`${section}.note` as const);
  const own = ownText(fields, language);
  const texts = own
    ? { subject: own.subject, preview: own.text.split('\n', 1)[0] ?? '', title: own.subject, body: own.text }
    : {
        subject: say('subject'),
        preview: say('preview'),
        title: say('title'),
        body: textOf(section, 'body', values, language),
      };
  return {
    language,
    path: pathOf(kind, fields),
    content: { ...texts, note: phrase(language, `notifications.${note}`, values) },
  };
};

/** A text of the product; of a firing without a figure, the one that needs none. */
const textOf = (
  section: ReturnType<typeof sectionOf>,
  part: 'body' | 'short',
  values: Fields,
  language: Language,
): string => {
  const isWithoutFigure = section === 'autoflowFired' && values['comparison'] === '';
  const key = isWithoutFigure
    ? (`${section}.${part}WithoutFigure` as const)
    : (`${section}.${part}` as const);
  return phrase(language, `notifications.${key}`, values);
};

/** The same as a short message, which has a maximum length. */
export const shortTextOf = (kind: NotificationKind, fields: NotifiedFields, language: Language): string =>
  cutShort(ownText(fields, language)?.sms ?? standardShortText(kind, fields, language));

const standardShortText = (kind: NotificationKind, fields: NotifiedFields, language: Language): string => {
  const values = valuesOf(fields, language);
  const { iccid } = values;
  const short = typeof iccid === 'string' ? { ...values, iccid: firstTwo(iccid) } : values;
  const text = textOf(sectionOf(kind, fields), 'short', short, language);
  // One typographic character, such as a no-break space in an amount, would double the number of parts.
  const gsm = replaceWithGsm(text, 'same');
  return isGsmText(gsm) ? gsm : text;
};

/** The first two of a list of ICCIDs, and an ellipsis if there are more. */
const firstTwo = (list: string): string => {
  const [first, second, ...more] = list.split(', ');
  return more.length > 0 ? `${first}, ${second} …` : list;
};

const cut = '...';
const cutShort = (text: string): string => {
  const characters = [...text];
  const { content: max } = limits.sms;
  return characters.length > max ? `${characters.slice(0, max - cut.length).join('')}${cut}` : text;
};
