export { drawPdf } from './document.ts';
export { colors, drawArtifact, drawLogo, page } from './page.ts';
export { type FlowItem, pagesOf } from './pages.rules.ts';
export { decodePicture } from './picture.rules.ts';
export type { Block, PdfDocument, Style, Typesetter } from './typesetter.ts';
