import type { Language } from '@simcube/contract';
import { colors, decodePicture, drawArtifact, drawPdf, page, pagesOf } from '../../../platform/pdf/index.ts';
import type { BillDocument } from '../document/bill-document.rules.ts';
import { type BillTexts, billTexts, lineFormatter } from '../document/bill-document.texts.ts';
import { facturX, facturXMetadata, facturXName } from '../invoice/factur-x.rules.ts';
import { toInvoice } from '../invoice/invoice.rules.ts';
import { createBody } from './bill-body.ts';
import { createHead } from './bill-head.ts';
import { left, type Paper, right, style } from './bill-tables.ts';

const footHeight = 26;
const contentHeight = page.height - 2 * page.margin - footHeight;

/**
 * Draws a bill on A4 pages for archiving (PDF/A-3b), with the bill embedded as XML if it is an invoice. The
 * same bill in the same language always gives the same file, byte for byte.
 */
export const drawBill = (document: BillDocument, language: Language): Promise<Buffer> => {
  const { bill } = document;
  const invoice = toInvoice(document, lineFormatter(language, bill.currency));
  const texts = billTexts(document, language, invoice !== undefined);
  return drawPdf(
    {
      language,
      title: texts.title,
      createdAt: new Date(bill.issued_at ?? bill.computed_at),
      // Includes the digits of page numbers, and the replacements for missing or cut text.
      archive: {
        files: invoice
          ? [
              {
                name: facturXName,
                mediaType: 'text/xml',
                description: texts.title,
                content: Buffer.from(facturX(invoice)),
              },
            ]
          : [],
        metadata: invoice ? facturXMetadata() : '',
      },
      text: `${JSON.stringify(texts)}${texts.pageOf(123_456, 7890)}—…?`,
    },
    (doc, typesetter) => {
      const root = doc.struct('Document');
      doc.addStructure(root);
      const paper: Paper = { doc, typesetter, root };
      const logos = { seller: decodePicture(document.logo), buyer: decodePicture(document.buyer.logo) };
      const body = createBody(paper, texts);
      const pages = pagesOf([...createHead(paper, texts, logos), ...body.pieces], contentHeight);
      for (const [index, pieces] of pages.entries()) {
        if (index > 0) doc.addPage();
        if (texts.stamp !== null) drawStamp(paper, texts.stamp);
        let y: number = page.margin;
        for (const piece of pieces) {
          piece.draw(y);
          y += piece.height;
        }
        drawFoot(paper, texts, { page: index + 1, pages: pages.length });
      }
      body.end();
      root.end();
    },
  );
};

/** Across the page, beneath the content, and pale enough for that to be legible. */
const drawStamp = ({ doc, typesetter }: Paper, stamp: string): void =>
  drawArtifact(doc, () => {
    const [x, y] = [page.width / 2, page.height / 2];
    const textStyle = style(110, 'bold', '#f3e6d3');
    const fittedStyle = style(
      Math.min(110, (110 * 520) / typesetter.widthOf(stamp, textStyle)),
      'bold',
      textStyle.color,
    );
    doc.save().rotate(-45, { origin: [x, y] });
    typesetter.line(stamp, fittedStyle, {
      x: x - typesetter.widthOf(stamp, fittedStyle) / 2,
      y: y - fittedStyle.size * 0.75,
    });
    doc.restore();
  });

const drawFoot = ({ doc, typesetter }: Paper, texts: BillTexts, at: { page: number; pages: number }): void =>
  drawArtifact(doc, () => {
    const y = page.height - page.margin - 14;
    const textStyle = style(8, 'regular', colors.muted);
    const count = texts.pageOf(at.page, at.pages);
    const countWidth = typesetter.widthOf(count, textStyle);
    doc
      .moveTo(left, y - 5)
      .lineTo(right, y - 5)
      .lineWidth(0.5)
      .stroke(colors.hairline);
    const running = typesetter.block(texts.running, {
      width: right - left - countWidth - 20,
      maxLines: 1,
      style: textStyle,
    });
    typesetter.draw(running, { x: left, y });
    typesetter.line(count, textStyle, { x: right - countWidth, y });
  });
