import type { Language } from '@simcube/contract';
import type { Diagnose } from '@simcube/contract/diagnose';
import { phrase } from '@simcube/phrases';
import { drawPdf } from '../../../platform/pdf/index.ts';
import { instantWords } from '../diagnose.wording.ts';
import { drawPage } from './report-page.ts';
import { wordsOf } from './words.ts';

/** A report as an A4 page. The same report in the same language always gives the same file, byte for byte. */
export const drawReport = (report: Diagnose, language: Language): Promise<Buffer> => {
  const words = wordsOf(report, { language, madeAt: instantWords(language)(report.made_at) });
  return drawPdf(
    {
      language,
      title: `${phrase(language, 'diagnoseReport.title')} ${report.iccid}`,
      createdAt: new Date(report.made_at),
      text: JSON.stringify(words),
    },
    (doc, typesetter) => drawPage(doc, { words, typesetter }),
  );
};
