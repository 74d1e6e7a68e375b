import { colors, drawArtifact } from '../../../platform/pdf/index.ts';
import type { BillTexts } from '../document/bill-document.texts.ts';
import { drawInColumn, left, type Paper, type Piece, right, style } from './bill-tables.ts';

/** Logos in a form that a document may contain. */
export interface Logos {
  seller: Buffer | undefined;
  buyer: Buffer | undefined;
}

/** The part above the lines of a bill: who bills whom for what, and important notes. */
export const createHead = (paper: Paper, texts: BillTexts, logos: Logos): Piece[] => [
  brand(paper, texts, logos.seller),
  title(paper, texts),
  parties(paper, texts, logos.buyer),
  facts(paper, texts),
  ...texts.notes.map((note) => notePiece(paper, note)),
];

const addTagged = ({ doc, root }: Paper, tag: string, draw: () => void): void => {
  root.add(doc.struct(tag, {}, draw));
};

const brandHeight = 50;
const logoBox: [number, number] = [170, 36];

const brand = (paper: Paper, { seller }: BillTexts, logo: Buffer | undefined): Piece => ({
  height: brandHeight,
  draw: (y) => {
    if (logo) {
      drawPicture(paper, logo, { x: left, y, alt: seller.name });
      return;
    }
    addTagged(paper, 'P', () =>
      paper.typesetter.draw(
        paper.typesetter.block(seller.name, { width: right - left, maxLines: 1, style: style(14, 'bold') }),
        { x: left, y: y + 4 },
      ),
    );
  },
});

const drawPicture = (
  { doc, root }: Paper,
  content: Buffer,
  { x, y, alt }: { x: number; y: number; alt: string },
): void => {
  const bbox = [x, y, x + logoBox[0], y + logoBox[1]];
  root.add(
    doc.struct('Figure', { alt, bbox } as object, () => {
      doc.image(content, x, y, { fit: logoBox });
    }),
  );
};

const title = (paper: Paper, texts: BillTexts): Piece => ({
  height: 56,
  draw: (y) => {
    const { typesetter } = paper;
    addTagged(paper, 'H1', () => typesetter.line(texts.title, style(18, 'bold'), { x: left, y }));
    addTagged(paper, 'P', () => {
      const end = typesetter.line(texts.month, style(11, 'regular', colors.muted), { x: left, y: y + 28 });
      if (texts.stamp !== null)
        typesetter.line(texts.stamp, style(11, 'bold', stampColor), { x: end + 10, y: y + 28 });
    });
  },
});

const stampColor = '#9a5b00';

const partyWidth = (right - left) / 2 - 12;

const parties = (paper: Paper, { seller, buyer }: BillTexts, buyerLogo: Buffer | undefined): Piece => {
  const { typesetter } = paper;
  const blocksOf = ({ label, name, lines }: BillTexts['seller']) => [
    typesetter.block(label, { width: partyWidth, style: style(7.5, 'regular', colors.muted) }),
    typesetter.block(name, { width: partyWidth, style: style(10, 'bold') }),
    ...lines.map((line) => typesetter.block(line, { width: partyWidth, style: style(9, 'regular') })),
  ];
  const sides = [
    { x: left, blocks: blocksOf(seller) },
    { x: left + partyWidth + 24, blocks: blocksOf(buyer) },
  ];
  const heightOf = (blocks: readonly { height: number }[]) =>
    blocks.reduce((sum, { height }) => sum + height, 0);
  const textHeight = Math.max(...sides.map(({ blocks }) => heightOf(blocks)));
  const logoHeight = buyerLogo ? logoBox[1] + 6 : 0;
  return {
    height: textHeight + logoHeight + 14,
    draw: (y) => {
      for (const { x, blocks } of sides)
        addTagged(paper, 'P', () => {
          let at = y;
          for (const block of blocks) {
            typesetter.draw(block, { x, y: at });
            at += block.height;
          }
        });
      if (buyerLogo)
        drawPicture(paper, buyerLogo, {
          x: left + partyWidth + 24,
          alt: buyer.name,
          y: y + heightOf(sides[1]?.blocks ?? []) + 6,
        });
    },
  };
};

/** Widths of type, period, issue, due date and state. */
const factWidths = [78, 166, 84, 88, 83];

const facts = (paper: Paper, texts: BillTexts): Piece => {
  const { doc, typesetter } = paper;
  let x = left + 10;
  const factBlocks = texts.facts.map(({ label, value }, index) => {
    const width = (factWidths[index] ?? 80) - 10;
    const column = { x, width };
    x += width + 10;
    return {
      column,
      label: typesetter.block(label, { width, maxLines: 2, style: style(7.5, 'regular', colors.muted) }),
      value: typesetter.block(value, { width, maxLines: 3, style: style(9, 'bold') }),
    };
  });
  const inner = Math.max(...factBlocks.map(({ label, value }) => label.height + value.height));
  return {
    height: inner + 30,
    draw: (y) => {
      drawArtifact(doc, () => {
        doc.roundedRect(left, y, right - left, inner + 16, 4).fill('#f5f7fa');
      });
      for (const { column, label, value } of factBlocks)
        addTagged(paper, 'P', () => {
          drawInColumn(typesetter, label, { ...column, y: y + 8 });
          drawInColumn(typesetter, value, { ...column, y: y + 8 + label.height });
        });
    },
  };
};

const notePiece = (paper: Paper, note: string): Piece => {
  const { doc, typesetter } = paper;
  const block = typesetter.block(note, { width: right - left - 20, style: style(9, 'regular') });
  return {
    height: block.height + 18,
    draw: (y) => {
      drawArtifact(doc, () => {
        doc.roundedRect(left, y, right - left, block.height + 10, 4).fill('#fdf4e3');
      });
      addTagged(paper, 'P', () => typesetter.draw(block, { x: left + 10, y: y + 5 }));
    },
  };
};
