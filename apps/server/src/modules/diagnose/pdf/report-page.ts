import {
  type Block,
  colors,
  drawArtifact,
  drawLogo,
  type PdfDocument,
  page,
  type Style,
  type Typesetter,
} from '../../../platform/pdf/index.ts';
import { lightColours } from './light-colours.ts';
import type { Row, Words } from './words.ts';

const left = page.margin;
const right = page.width - page.margin;
const width = right - left;
const bottom = page.height - page.margin;

/** In the table: where names and sentences begin. */
const nameX = left + 20;
const sentenceX = left + 142;
const sentenceWidth = right - sentenceX;
const nameWidth = sentenceX - nameX - 10;

/** Font sizes that are tried until all twelve checks fit on the page. */
const sizes = [9.5, 9, 8.5, 8, 7.5, 7, 6.5] as const;
/** A sentence with a very long name in it is cut, so that the page does not overflow. */
const maxLines = 4;

interface Drawing {
  words: Words;
  typesetter: Typesetter;
}

/** Draws the whole report on the document's only page, top to bottom, each part with its tag. */
export const drawPage = (doc: PdfDocument, drawing: Drawing): void => {
  const { words, typesetter } = drawing;
  const root = doc.struct('Document');
  doc.addStructure(root);
  const tagged = (tag: string, draw: () => void) => root.add(doc.struct(tag, {}, draw));

  drawLogo(doc, { x: left, y: 40, size: 22 });
  tagged('P', () => typesetter.line('SimCube', style(13, 'bold'), { x: left + 28, y: 42 }));
  tagged('P', () => {
    const madeAtStyle = style(8.5, 'regular', colors.muted);
    typesetter.line(words.madeAt, madeAtStyle, {
      x: right - typesetter.widthOf(words.madeAt, madeAtStyle),
      y: 46,
    });
  });
  tagged('H1', () => typesetter.line(words.title, style(20, 'bold'), { x: left, y: 82 }));
  tagged('P', () => drawIccid(typesetter, words.iccid));
  const factsEnd = drawFacts(drawing, tagged);
  const tableTop = drawOverall(doc, { ...drawing, tagged, y: factsEnd + 12 });

  const note = typesetter.block(words.note, { width, style: style(7.5, 'regular', colors.muted) });
  const noteY = bottom - note.height;
  drawTable(doc, { root, typesetter, rows: words.rows, y: tableTop, room: noteY - 10 - tableTop });
  tagged('P', () => typesetter.draw(note, { x: left, y: noteY }));
  root.end();
};

const style = (size: number, weight: Style['weight'], color: string = colors.text): Style => ({
  size,
  weight,
  color,
});

type Tagged = (tag: string, draw: () => void) => void;

/** The last digits distinguish cards of one delivery. */
const drawIccid = (typesetter: Typesetter, iccid: string): void => {
  const at = { x: left, y: 114 };
  const afterLabel = typesetter.line('ICCID ', style(10, 'regular', colors.muted), at);
  const afterFirst = typesetter.line(iccid.slice(0, -4), style(10, 'regular'), { ...at, x: afterLabel });
  typesetter.line(iccid.slice(-4), style(10, 'bold'), { ...at, x: afterFirst });
};

/** @returns the y coordinate where they end */
const drawFacts = ({ words, typesetter }: Drawing, tagged: Tagged): number => {
  let y = 131;
  for (const { label, value } of words.facts) {
    const labelStyle = style(10, 'regular', colors.muted);
    const labelWidth = typesetter.widthOf(`${label}  `, labelStyle);
    const block = typesetter.block(value, {
      width: width - labelWidth,
      style: style(10, 'regular'),
      maxLines: 1,
    });
    tagged('P', () => {
      typesetter.line(`${label}  `, labelStyle, { x: left, y });
      typesetter.draw(block, { x: left + labelWidth, y });
    });
    y += 17;
  }
  return y;
};

/** @returns the y coordinate where the table may begin */
const drawOverall = (
  doc: PdfDocument,
  { words, typesetter, tagged, y }: Drawing & { tagged: Tagged; y: number },
): number => {
  const { light, lightWord, sentence } = words.overall;
  const { strong, pale } = lightColours[light];
  const word = style(11, 'bold', strong);
  const wordWidth = typesetter.widthOf(lightWord, word);
  const textX = left + 30 + wordWidth + 12;
  const block = typesetter.block(sentence, { width: right - 14 - textX, style: style(10, 'regular') });
  const height = Math.max(block.height, 17) + 20;
  drawArtifact(doc, () => {
    doc.roundedRect(left, y, width, height, 6).fill(pale);
    drawDot(doc, { x: left + 18, y: y + height / 2, radius: 4.5, color: strong });
  });
  tagged('P', () => {
    typesetter.line(lightWord, word, { x: left + 30, y: y + height / 2 - 8.5 });
    typesetter.draw(block, { x: textX, y: y + (height - block.height) / 2 });
  });
  return y + height + 14;
};

const drawDot = (
  doc: PdfDocument,
  { x, y, radius, color }: { x: number; y: number; radius: number; color: string },
): void => {
  doc.circle(x, y, radius).fill(color);
};

interface TableRow {
  row: Row;
  name: Block;
  light: Block;
  sentence: Block;
  advice: Block | undefined;
  height: number;
}

interface Table {
  root: PDFKit.PDFStructureElement;
  typesetter: Typesetter;
  rows: readonly Row[];
  y: number;
  room: number;
}

/** The checks as a table, whose cells are tagged so that a screen reader can relate a sentence to its check. */
const drawTable = (doc: PdfDocument, { root, typesetter, rows, y: top, room }: Table): void => {
  const { size, laidOut, spare } = fit(typesetter, rows, room);
  const table = doc.struct('Table');
  root.add(table);
  // Remaining space is distributed between the rows, within limits.
  const padding = size * 0.75 + Math.min(spare / rows.length / 2, 3);
  let y = top;
  for (const rowLayout of laidOut) {
    const { strong } = lightColours[rowLayout.row.light];
    drawArtifact(doc, () => {
      doc.moveTo(left, y).lineTo(right, y).lineWidth(0.6).stroke(colors.hairline);
      drawDot(doc, { x: left + 7, y: y + padding + size * 0.76, radius: size * 0.36, color: strong });
    });
    const at = y + padding;
    const tr = doc.struct('TR');
    table.add(tr);
    const cell = (tag: string, draw: () => void, options: object = {}) =>
      tr.add(doc.struct(tag, options, draw));
    cell('TH', () => typesetter.draw(rowLayout.name, { x: nameX, y: at }), { scope: 'Row' });
    cell('TD', () => typesetter.draw(rowLayout.light, { x: nameX, y: at + rowLayout.name.height }));
    cell('TD', () => {
      typesetter.draw(rowLayout.sentence, { x: sentenceX, y: at });
      if (rowLayout.advice)
        typesetter.draw(rowLayout.advice, { x: sentenceX, y: at + rowLayout.sentence.height });
    });
    tr.end();
    y += rowLayout.height + 2 * padding;
  }
  table.end();
};

/** The largest size in which all rows fit. */
const fit = (
  typesetter: Typesetter,
  rows: readonly Row[],
  room: number,
): { size: number; laidOut: TableRow[]; spare: number } => {
  const attempt = (size: number) => {
    const laidOut = rows.map((row) => layOut(typesetter, row, size));
    const needed = laidOut.reduce((sum, { height }) => sum + height + 1.5 * size, 0);
    return { size, laidOut, spare: Math.max(room - needed, 0), fits: needed <= room };
  };
  const smallest = sizes[sizes.length - 1] ?? sizes[0];
  return sizes.map(attempt).find(({ fits }) => fits) ?? attempt(smallest);
};

const layOut = (typesetter: Typesetter, row: Row, size: number): TableRow => {
  const name = typesetter.block(row.name, { width: nameWidth, style: style(size, 'bold') });
  const light = typesetter.block(row.lightWord, {
    width: nameWidth,
    style: style(size * 0.9, 'regular', lightColours[row.light].strong),
  });
  const inColumn = { width: sentenceWidth, maxLines };
  const sentence = typesetter.block(row.sentence, { ...inColumn, style: style(size, 'regular') });
  const advice =
    row.advice === null
      ? undefined
      : typesetter.block(row.advice, { ...inColumn, style: style(size, 'regular', colors.muted) });
  const height = Math.max(name.height + light.height, sentence.height + (advice?.height ?? 0));
  return { row, name, light, sentence, advice, height };
};
