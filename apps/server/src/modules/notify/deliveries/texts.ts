import type { Language } from '@simcube/contract';
import type { DeliveryFault, NotificationKind } from '@simcube/contract/notify';
import { phrase } from '@simcube/phrases';
import type { Letter } from '../../../platform/mail/index.ts';

type Fields = Record<string, string | number>;

const sectionOf = {
  test: 'test',
  'target.failing': 'targetFailing',
  'target.paused': 'targetPaused',
} as const;

/** Fields as texts name them: what is a code, in words. */
const valuesOf = (fields: Fields, language: Language): Fields => ({
  ...fields,
  ...('fault' in fields && { reason: phrase(language, `notify.faults.${fields['fault'] as DeliveryFault}`) }),
});

/** A notification as a mail, in its reader's language. */
export const letterOf = (
  kind: NotificationKind,
  fields: Fields,
  language: Language,
): Pick<Letter, 'language' | 'content' | 'path'> => {
  const values = valuesOf(fields, language);
  const say = (part: 'subject' | 'preview' | 'title' | 'body' | 'note') =>
    phrase(language, `notifications.${sectionOf[kind]}.${part}`, values);
  return {
    language,
    path: '/setCard?tab=groups',
    content: {
      subject: say('subject'),
      preview: say('preview'),
      title: say('title'),
      body: say('body'),
      note: say('note'),
    },
  };
};

/** The same as a short message. */
export const shortTextOf = (kind: NotificationKind, fields: Fields, language: Language): string =>
  phrase(language, `notifications.${sectionOf[kind]}.short`, valuesOf(fields, language));
