import type { Language } from '@simcube/contract';
import { page } from './page.ts';
import { loadTypefaces } from './typefaces.ts';
import { type PdfDocument, Typesetter } from './typesetter.ts';

export interface WantedPdf {
  language: Language;
  title: string;
  /** When what it says was so; the time of drawing would make every copy another file. */
  madeAt: Date;
  /** Every text that is drawn: typefaces are read for what stands in it. */
  text: string;
}

/**
 * A document of A4 pages: tagged for screen readers (PDF/UA), with its title and language. What is drawn alike is the same
 * file, octet by octet.
 */
export const drawPdf = async (
  { language, title, madeAt, text }: WantedPdf,
  draw: (doc: PdfDocument, typesetter: Typesetter) => void,
): Promise<Buffer> => {
  const faces = await loadTypefaces(language, text);
  // Read with the first document only: it is much code, and most processes make none.
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: page.margin,
    // Without it pdfkit would look for a standard font, which no document of this kind may use.
    font: faces.cuts[0]?.font as unknown as string,
    pdfVersion: '1.7',
    subset: 'PDF/UA' as never,
    tagged: true,
    displayTitle: true,
    lang: language,
    info: { Title: title, Creator: 'SimCube', Producer: 'SimCube', CreationDate: madeAt, ModDate: madeAt },
  });
  const parts: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
  });
  draw(doc, new Typesetter(doc, faces));
  doc.end();
  return finished;
};
