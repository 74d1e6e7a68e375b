import type { Language } from '@simcube/contract';
import type { WebhookDelivery } from '@simcube/contract/webhook';

type Subject = NonNullable<WebhookDelivery['about']>;

/** The usual name of an event's subject. */
export const nameOfSubject = ({ name, id, kind }: Subject): string =>
  name ?? (kind === 'task' ? `#${id}` : id);

/** Link to its page. */
export const hrefOfSubject = ({ kind, id }: Subject, language: Language): string => {
  const encoded = encodeURIComponent(id);
  const paths = {
    sim: `simCard/${encoded}`,
    pool: `shared/${encoded}`,
    bill: `finance?search=${encoded}`,
    report: `reports?month=${encoded}`,
    task: `taskcenter?task=${encoded}`,
  };
  return `/${language}/${paths[kind]}`;
};
