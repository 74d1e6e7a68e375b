import { colors } from '../../../platform/pdf/index.ts';
import type { BillWords, Fact, LineWords, SectionWords } from '../document/bill-document.words.ts';
import { type Column, drawIn, left, type Paper, type Piece, right, style, tableOn } from './bill-tables.ts';

const [lineColumn, tariffColumn, quantityColumn, priceColumn, amountColumn] = [
  { x: left, width: 200 },
  { x: 256, width: 84 },
  { x: 344, width: 66, atEnd: true },
  { x: 412, width: 60, atEnd: true },
  { x: 474, width: right - 474, atEnd: true },
] as const satisfies Column[];
const lineColumns = [lineColumn, tariffColumn, quantityColumn, priceColumn, amountColumn];

/** The lines of a bill by section, the totals, the payment, and the SIMs that cost most. */
export const bodyOf = (paper: Paper, words: BillWords): { pieces: Piece[]; end: () => void } => {
  const tables: { end: () => void }[] = [];
  const table = (columns: readonly Column[], titles: readonly string[]) => {
    const made = tableOn(paper, columns, titles);
    tables.push(made);
    return made;
  };
  const pieces = [
    ...words.sections.flatMap((section) => sectionPieces(paper, section, words, table)),
    ...(words.noLines === null ? [] : [paragraph(paper, words.noLines)]),
    gap(8),
    ...totals(paper, words.totals),
    gap(10),
    heading(paper, words.payment.title),
    ...words.payment.facts.map((fact) => factRow(paper, fact)),
    ...(words.payments ? listed(paper, words.payments, { table, columns: paymentColumns }) : []),
    ...(words.sims ? listed(paper, words.sims, { table, columns: simColumns }) : []),
    ...(words.sims?.notes ?? []).map((note) => paragraph(paper, note)),
  ];
  return {
    pieces,
    end: () => {
      for (const one of tables) one.end();
    },
  };
};

type Tables = (columns: readonly Column[], titles: readonly string[]) => ReturnType<typeof tableOn>;

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

const sectionPieces = (paper: Paper, section: SectionWords, words: BillWords, tables: Tables): Piece[] => {
  const { columns } = words;
  const table = tables(lineColumns, [
    ...[columns.line, columns.tariff, columns.quantity, columns.price, columns.amount],
  ]);
  const text = (value: string, column: Column, bold = false) => ({
    column,
    blocks: [
      paper.typesetter.block(value, {
        width: column.width,
        maxLines: 3,
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
        text(amount, amountColumn, true),
      ],
      more,
    );
  const row = (line: LineWords): Piece =>
    table.row([
      {
        column: { ...lineColumn, x: left + 8 },
        isHeading: true,
        blocks: [
          paper.typesetter.block(line.name, { width: 192, maxLines: 3, style: style(8.5) }),
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

const totalLabel: Column = { x: 256, width: 180 };
const totalAmount: Column = { x: 440, width: right - 440, atEnd: true };

/** They stay together. */
const totals = (paper: Paper, rows: BillWords['totals']): Piece[] =>
  rows.map(({ label, value, strong = false }, index) => {
    const { doc, root, typesetter } = paper;
    const set = style(strong ? 11 : 9, strong ? 'bold' : 'regular');
    const labelBlock = typesetter.block(label, { width: totalLabel.width, maxLines: 2, style: set });
    const valueBlock = typesetter.block(value, { width: totalAmount.width, maxLines: 2, style: set });
    return {
      height: Math.max(labelBlock.height, valueBlock.height) + 3,
      keepWithNext: index < rows.length - 1,
      draw: (y: number) => {
        root.add(
          doc.struct('P', {}, () => {
            drawIn(typesetter, labelBlock, { ...totalLabel, y });
            drawIn(typesetter, valueBlock, { ...totalAmount, y });
          }),
        );
      },
    };
  });

const factRow = ({ doc, root, typesetter }: Paper, { label, value }: Fact): Piece => {
  const name = typesetter.block(label, { width: 110, maxLines: 2, style: style(9, 'regular', colors.muted) });
  const said = typesetter.block(value, { width: right - left - 122, style: style(9, 'regular') });
  return {
    height: Math.max(name.height, said.height) + 2,
    draw: (y) => {
      root.add(
        doc.struct('P', {}, () => {
          typesetter.draw(name, { x: left, y });
          typesetter.draw(said, { x: left + 122, y });
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

interface ListedIn {
  table: Tables;
  columns: readonly Column[];
}

const listed = (
  paper: Paper,
  { title, columns: titles, rows }: { title: string; columns: readonly string[]; rows: readonly string[][] },
  { table: tables, columns }: ListedIn,
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
          blocks: [
            paper.typesetter.block(values[index] ?? '', {
              width: column.width,
              maxLines: 2,
              style: style(8.5),
            }),
          ],
        })),
      ),
    ),
  ];
};
