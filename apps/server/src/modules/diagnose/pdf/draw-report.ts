import type { Language } from '@simcube/contract';
import type { Diagnose } from '@simcube/contract/diagnose';
import { phrase } from '@simcube/phrases';
import { instantWords } from '../diagnose.wording.ts';
import { page } from './page.ts';
import { drawPage } from './report-page.ts';
import { loadTypefaces } from './typefaces.ts';
import { Typesetter } from './typesetter.ts';
import { wordsOf } from './words.ts';

/**
 * A report as a page of A4: tagged for screen readers, with its title and language. The same report in the same language is
 * the same file, octet by octet.
 */
export const drawReport = async (report: Diagnose, language: Language): Promise<Buffer> => {
  const words = wordsOf(report, { language, madeAt: instantWords(language)(report.made_at) });
  const faces = await loadTypefaces(language, JSON.stringify(words));
  // Read with the first document only: it is much code, and most processes make none.
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: page.margin,
    // Without it pdfkit would look for a standard font, which no document of this kind may use.
    font: faces.cuts[0]?.content as unknown as string,
    pdfVersion: '1.7',
    subset: 'PDF/UA' as never,
    tagged: true,
    displayTitle: true,
    lang: language,
    info: {
      Title: `${phrase(language, 'diagnoseReport.title')} ${report.iccid}`,
      Creator: 'SimCube',
      Producer: 'SimCube',
      CreationDate: new Date(report.made_at),
      ModDate: new Date(report.made_at),
    },
  });
  const parts: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
  });
  drawPage(doc, { words, typesetter: new Typesetter(doc, faces) });
  doc.end();
  return finished;
};
