export { drawPdf } from './document.ts';
export { decorate, drawMark, ink, page } from './page.ts';
export type { Block, PdfDocument, Style, Typesetter } from './typesetter.ts';
