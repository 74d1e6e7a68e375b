import { colors } from '../../../platform/pdf/index.ts';
import type { BillTexts, Fact, LineTexts, SectionTexts } from '../document/bill-document.texts.ts';
import {
  type Column,
  createTable,
  drawInColumn,
  left,
  type Paper,
  type Piece,
  right,
  style,
} from './bill-tables.ts';

const [lineColumn, tariffColumn, quantityColumn, priceColumn, amountColumn] = [
  { x: left, width: 200 },
  { x: 256, width: 84 },
  { x: 344, width: 66, atEnd: true },
  { x: 412, width: 60, atEnd: true },
  { x: 474, width: right - 474, atEnd: true },
] as const satisfies Column[];
/** Sums have the space of the quantity and price that they lack. */
const sumColumn: Column = { x: 344, width: right - 344, atEnd: true };
const lineColumns = [lineColumn, tariffColumn, quantityColumn, priceColumn, amountColumn];

/** The lines of a bill by section, the totals, the payment, and the SIMs that cost most. */
export const createBody = (paper: Paper, texts: BillTexts): { pieces: Piece[]; end: () => void } => {
  const tables: { end: () => void }[] = [];
  const table = (columns: readonly Column[], titles: readonly string[]) => {
    const created = createTable(paper, columns, titles);
    tables.push(created);
    return created;
  };
  const pieces = [
    ...texts.sections.flatMap((section) => sectionPieces(paper, section, texts, table)),
    ...(texts.noLines === null ? [] : [paragraph(paper, texts.noLines)]),
    gap(8),
    ...totals(paper, texts.totals),
    gap(10),
    heading(paper, texts.payment.title),
    ...texts.payment.facts.map((fact) => factRow(paper, fact)),
    ...(texts.payments ? simpleTable(paper, texts.payments, { table, columns: paymentColumns }) : []),
    ...(texts.sims ? simpleTable(paper, texts.sims, { table, columns: simColumns }) : []),
    ...(texts.sims?.notes ?? []).map((note) => paragraph(paper, note)),
  ];
  return {
    pieces,
    end: () => {
      for (const one of tables) one.end();
    },
  };
};

type Tables = (columns: readonly Column[], titles: readonly string[]) => ReturnType<typeof createTable>;

const gap = (height: number): Piece => ({ height, draw: () => undefined });

const heading = ({ doc, root, typesetter }: Paper, text: string): Piece => {
  const block = typesetter.block(text, { width: right - left, maxLines: 2, style: style(11, 'bold') });
  return {
    height: block.height + 14,
    keepWithNext: true,
    draw: (y) => {
      root.add(doc.struct('H2', {}, () => typesetter.draw(block, { x: left, y: y + 10 })));
    },
  };
};

const paragraph = ({ doc, root, typesetter }: Paper, text: string): Piece => {
  const block = typesetter.block(text, { width: right - left, style: style(8.5, 'regular', colors.muted) });
  return {
    height: block.height + 6,
    draw: (y) => {
      root.add(doc.struct('P', {}, () => typesetter.draw(block, { x: left, y: y + 4 })));
    },
  };
};

const sectionPieces = (paper: Paper, section: SectionTexts, texts: BillTexts, tables: Tables): Piece[] => {
  const { columns } = texts;
  const table = tables(lineColumns, [
    ...[columns.line, columns.tariff, columns.quantity, columns.price, columns.amount],
  ]);
  const text = (value: string, column: Column, bold = false) => ({
    column,
    blocks: [
      paper.typesetter.block(value, {
        width: column.width,
        style: style(8.5, bold ? 'bold' : 'regular'),
      }),
    ],
  });
  const empty = [tariffColumn, quantityColumn, priceColumn].map((column) => text('', column));
  const sumRow = (name: string, amount: string, more: { keepWithNext?: boolean; pale?: boolean }) =>
    table.row(
      [
        { ...text(name, { ...lineColumn, width: 280 }, true), isHeading: true },
        ...empty,
        text(amount, sumColumn, true),
      ],
      more,
    );
  const row = (line: LineTexts): Piece =>
    table.row([
      {
        column: { ...lineColumn, x: left + 8 },
        isHeading: true,
        blocks: [
          paper.typesetter.block(line.name, { width: 192, style: style(8.5) }),
          paper.typesetter.block(line.note, { width: 192, style: style(7, 'regular', colors.muted) }),
        ],
      },
      {
        column: tariffColumn,
        blocks: [
          ...text(line.tariff, tariffColumn).blocks,
          paper.typesetter.block(line.since, {
            width: tariffColumn.width,
            style: style(7, 'regular', colors.muted),
          }),
        ],
      },
      text(line.quantity, quantityColumn),
      text(line.price, priceColumn),
      text(line.amount, amountColumn),
    ]);
  return [
    ...(section.heading === null ? [] : [heading(paper, section.heading)]),
    table.heading,
    ...section.groups.flatMap(({ name, amount, lines }) => [
      sumRow(name, amount, { keepWithNext: true, pale: true }),
      ...lines.map(row),
    ]),
    ...(section.subtotal === null ? [] : [sumRow(section.subtotal.label, section.subtotal.value, {})]),
  ];
};

const totalLabel: Column = { x: 256, width: 140 };
const totalAmount: Column = { x: 400, width: right - 400, atEnd: true };

/** They stay together. */
const totals = (paper: Paper, rows: BillTexts['totals']): Piece[] =>
  rows.map(({ label, value, strong = false }, index) => {
    const { doc, root, typesetter } = paper;
    const textStyle = style(strong ? 11 : 9, strong ? 'bold' : 'regular');
    const labelBlock = typesetter.block(label, { width: totalLabel.width, maxLines: 2, style: textStyle });
    const valueBlock = typesetter.block(value, { width: totalAmount.width, maxLines: 2, style: textStyle });
    return {
      height: Math.max(labelBlock.height, valueBlock.height) + 3,
      keepWithNext: index < rows.length - 1,
      draw: (y: number) => {
        root.add(
          doc.struct('P', {}, () => {
            drawInColumn(typesetter, labelBlock, { ...totalLabel, y });
            drawInColumn(typesetter, valueBlock, { ...totalAmount, y });
          }),
        );
      },
    };
  });

const factRow = ({ doc, root, typesetter }: Paper, { label, value }: Fact): Piece => {
  const name = typesetter.block(label, { width: 110, maxLines: 2, style: style(9, 'regular', colors.muted) });
  const content = typesetter.block(value, { width: right - left - 122, style: style(9, 'regular') });
  return {
    height: Math.max(name.height, content.height) + 2,
    draw: (y) => {
      root.add(
        doc.struct('P', {}, () => {
          typesetter.draw(name, { x: left, y });
          typesetter.draw(content, { x: left + 122, y });
        }),
      );
    },
  };
};

const paymentColumns: Column[] = [
  { x: left, width: 110 },
  { x: left + 122, width: 260 },
  { x: 440, width: right - 440, atEnd: true },
];
const simColumns: Column[] = [
  { x: left, width: 150 },
  { x: 206, width: 226 },
  { x: 440, width: right - 440, atEnd: true },
];

interface TableContext {
  table: Tables;
  columns: readonly Column[];
}

const simpleTable = (
  paper: Paper,
  { title, columns: titles, rows }: { title: string; columns: readonly string[]; rows: readonly string[][] },
  { table: tables, columns }: TableContext,
): Piece[] => {
  const table = tables(columns, titles);
  return [
    heading(paper, title),
    table.heading,
    ...rows.map((values) =>
      table.row(
        columns.map((column, index) => ({
          column,
          isHeading: index === 0,
          blocks: [paper.typesetter.block(values[index] ?? '', { width: column.width, style: style(8.5) })],
        })),
      ),
    ),
  ];
};
