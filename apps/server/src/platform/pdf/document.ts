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
  /** To be kept for years (PDF/A-3b), with other forms of the same in it. */
  archive?: { files: readonly EmbeddedFile[]; metadata: string };
}

export interface EmbeddedFile {
  name: string;
  mediaType: string;
  description: string;
  content: Buffer;
}

/**
 * A document of A4 pages: tagged for screen readers, with its title and language; by PDF/UA, or to be kept by PDF/A-3b. What
 * is drawn alike is the same file, octet by octet.
 */
export const drawPdf = async (
  { language, title, madeAt, text, archive }: WantedPdf,
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
    subset: (archive ? 'PDF/A-3b' : 'PDF/UA') as never,
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
  if (archive) embed(doc, { ...archive, madeAt });
  doc.end();
  return finished;
};

/** The files say the same as the pages (ISO 19005-3, 6.8), and when. */
const embed = (
  doc: PdfDocument,
  { files, metadata, madeAt }: NonNullable<WantedPdf['archive']> & { madeAt: Date },
): void => {
  for (const { name, mediaType, description, content } of files) {
    doc.file(content, {
      ...{ name, type: mediaType, description, creationDate: madeAt, modifiedDate: madeAt },
      relationship: 'Alternative',
    } as object);
  }
  (doc as unknown as { appendXML: (xml: string) => void }).appendXML(metadata);
};
