import {
  type Block,
  colors,
  drawArtifact,
  type FlowItem,
  type PdfDocument,
  page,
  type Style,
  type Typesetter,
} from '../../../platform/pdf/index.ts';

/** The drawing surface, and the root of a document's tags. */
export interface Paper {
  doc: PdfDocument;
  typesetter: Typesetter;
  root: PDFKit.PDFStructureElement;
}

/** A piece that is placed on one page as a whole. */
export interface Piece extends FlowItem {
  heading?: Piece;
  draw: (y: number) => void;
}

export const left = page.margin;
export const right = page.width - page.margin;

export const style = (
  size: number,
  weight: Style['weight'] = 'regular',
  color: string = colors.text,
): Style => ({
  size,
  weight,
  color,
});

export interface Column {
  x: number;
  width: number;
  /** Whether the text is aligned at the end, as figures are. */
  atEnd?: boolean;
}

interface Cell {
  column: Column;
  /** One below the other. */
  blocks: readonly Block[];
  isHeading?: boolean;
}

const padding = 3.5;

/** A table whose rows may span several pages, tagged as one; its heading is repeated on each page. */
export const createTable = (paper: Paper, columns: readonly Column[], titles: readonly string[]) => {
  const { doc, typesetter, root } = paper;
  const table = doc.struct('Table');
  let isAttached = false;
  const attach = (): PDFKit.PDFStructureElement => {
    if (!isAttached) root.add(table);
    isAttached = true;
    return table;
  };
  const heightOf = (cells: readonly Cell[]): number =>
    Math.max(...cells.map(({ blocks }) => blocks.reduce((sum, { height }) => sum + height, 0))) + 2 * padding;
  const drawCell = ({ blocks, column }: Cell, y: number): void => {
    let at = y + padding;
    for (const block of blocks) {
      drawInColumn(typesetter, block, { ...column, y: at });
      at += block.height;
    }
  };
  const drawRow = (cells: readonly Cell[], scope: 'Column' | 'Row', y: number): void => {
    const row = doc.struct('TR');
    attach().add(row);
    for (const cell of cells) {
      const [tag, options] = cell.isHeading ? (['TH', { scope }] as const) : (['TD', {}] as const);
      row.add(doc.struct(tag, options as object, () => drawCell(cell, y)));
    }
    row.end();
  };
  const titleCells = titles.map((title, index) => {
    const column = columns[index] ?? { x: left, width: right - left };
    const block = typesetter.block(title, {
      width: column.width,
      style: style(7.5, 'regular', colors.muted),
    });
    return { column, blocks: [block], isHeading: true };
  });
  let isTitled = false;
  const heading: Piece = {
    height: heightOf(titleCells),
    keepWithNext: true,
    draw: (y) => {
      if (isTitled)
        drawArtifact(doc, () => {
          for (const cell of titleCells) drawCell(cell, y);
        });
      else drawRow(titleCells, 'Column', y);
      isTitled = true;
    },
  };
  return {
    heading,
    row: (cells: readonly Cell[], more: { keepWithNext?: boolean; pale?: boolean } = {}): Piece => {
      const height = heightOf(cells);
      return {
        height,
        heading,
        keepWithNext: more.keepWithNext ?? false,
        draw: (y) => {
          drawArtifact(doc, () => {
            if (more.pale) doc.rect(left, y, right - left, height).fill('#f5f7fa');
            doc.moveTo(left, y).lineTo(right, y).lineWidth(0.5).stroke(colors.hairline);
          });
          drawRow(cells, 'Row', y);
        },
      };
    },
    /** Called after its last row is drawn. */
    end: () => {
      if (isAttached) table.end();
    },
  };
};

/** Draws a block in a column, with each line aligned at the start or end. */
export const drawInColumn = (
  typesetter: Typesetter,
  block: Block,
  { x, width, atEnd = false, y }: Column & { y: number },
): void => {
  if (!atEnd) {
    typesetter.draw(block, { x, y });
    return;
  }
  const leading = block.height / Math.max(1, block.lines.length);
  for (const [index, line] of block.lines.entries())
    typesetter.line(line, block.style, {
      x: x + width - typesetter.widthOf(line, block.style),
      y: y + index * leading,
    });
};
