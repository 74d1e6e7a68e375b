import type { Language } from '@simcube/contract';
import type { Diagnose } from '@simcube/contract/diagnose';
import { phrase } from '@simcube/phrases';
import { drawPdf } from '../../../platform/pdf/index.ts';
import { instantWords } from '../diagnose.wording.ts';
import { drawPage } from './report-page.ts';
import { wordsOf } from './words.ts';

/** A report as a page of A4. The same report in the same language is the same file, octet by octet. */
export const drawReport = (report: Diagnose, language: Language): Promise<Buffer> => {
  const words = wordsOf(report, { language, madeAt: instantWords(language)(report.made_at) });
  return drawPdf(
    {
      language,
      title: `${phrase(language, 'diagnoseReport.title')} ${report.iccid}`,
      madeAt: new Date(report.made_at),
      text: JSON.stringify(words),
    },
    (doc, typesetter) => drawPage(doc, { words, typesetter }),
  );
};
