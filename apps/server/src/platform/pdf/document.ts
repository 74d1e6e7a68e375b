import type { Language } from '@simcube/contract';
import { page } from './page.ts';
import { loadTypefaces } from './typefaces.ts';
import { type PdfDocument, Typesetter } from './typesetter.ts';

export interface PdfContent {
  language: Language;
  title: string;
  /** The time of the content; the time of drawing would make every copy a different file. */
  createdAt: Date;
  /** All text that is drawn: typefaces are loaded for the characters in it. */
  text: string;
  /** For archiving (PDF/A-3b), with other forms of the same document embedded. */
  archive?: { files: readonly EmbeddedFile[]; metadata: string };
}

export interface EmbeddedFile {
  name: string;
  mediaType: string;
  description: string;
  content: Buffer;
}

/**
 * A document of A4 pages, tagged for screen readers, with title and language, conforming to PDF/UA or, for
 * archiving, to PDF/A-3b. The same content always gives the same file, byte for byte.
 */
export const drawPdf = async (
  { language, title, createdAt, text, archive }: PdfContent,
  draw: (doc: PdfDocument, typesetter: Typesetter) => void,
): Promise<Buffer> => {
  const faces = await loadTypefaces(language, text);
  // Loaded with the first document only: it is much code, and most processes make none.
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: page.margin,
    // Without it pdfkit would load a standard font, which these documents may not use.
    font: faces.cuts[0]?.font as unknown as string,
    pdfVersion: '1.7',
    subset: (archive ? 'PDF/A-3b' : 'PDF/UA') as never,
    tagged: true,
    displayTitle: true,
    lang: language,
    info: {
      Title: title,
      Creator: 'SimCube',
      Producer: 'SimCube',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
  const parts: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
  });
  draw(doc, new Typesetter(doc, faces));
  if (archive) embed(doc, { ...archive, createdAt });
  doc.end();
  return finished;
};

/** The embedded files have the same content as the pages (ISO 19005-3, 6.8), and the same date. */
const embed = (
  doc: PdfDocument,
  { files, metadata, createdAt }: NonNullable<PdfContent['archive']> & { createdAt: Date },
): void => {
  for (const { name, mediaType, description, content } of files) {
    doc.file(content, {
      name,
      type: mediaType,
      description,
      creationDate: createdAt,
      modifiedDate: createdAt,
      relationship: 'Alternative',
    } as object);
  }
  (doc as unknown as { appendXML: (xml: string) => void }).appendXML(metadata);
};
