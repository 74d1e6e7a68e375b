export { drawPdf } from './document.ts';
export { decorate, drawMark, ink, page } from './page.ts';
export { type Flowing, pagesOf } from './pages.rules.ts';
export { pictureOf } from './picture.rules.ts';
export type { Block, PdfDocument, Style, Typesetter } from './typesetter.ts';
