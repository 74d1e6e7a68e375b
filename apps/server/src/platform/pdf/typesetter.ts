import { linesOf } from './paragraph.rules.ts';
import type { Typefaces, Weight } from './typefaces.ts';

export type PdfDocument = PDFKit.PDFDocument;

export interface Style {
  size: number;
  weight: Weight;
  color: string;
}

/** A text broken into lines, ready to be drawn. */
export interface Block {
  lines: readonly string[];
  style: Style;
  height: number;
}

/** Line height in units of the font size: Chinese needs more space than Latin. */
const leading = 1.5;
/** From the top of a line to its baseline, in units of the font size. */
const ascent = 1.12;
/** Replaces a character that no typeface has, such as an emoji in a name. */
const unknownCharacter = '?';

/** Characters that are invisible or would change the text direction; a document has no use for them. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu;

/** Sets text of any script in a document, each character in a typeface that has it. */
export class Typesetter {
  readonly #doc: PdfDocument;
  readonly #faces: Typefaces;

  constructor(doc: PdfDocument, faces: Typefaces) {
    this.#doc = doc;
    this.#faces = faces;
    for (const { name, font } of faces.cuts) doc.registerFont(name, font as never);
  }

  block(text: string, options: { width: number; style: Style; maxLines?: number }): Block {
    const { width, style, maxLines = 20 } = options;
    const lines = linesOf(text.replaceAll(invisible, ' '), {
      width,
      maxLines,
      widthOf: (part) => this.widthOf(part, style),
    });
    return { lines, style, height: lines.length * style.size * leading };
  }

  widthOf(text: string, { size, weight }: Style): number {
    return this.#runs(text, weight).reduce((sum, { advance }) => sum + advance * size, 0);
  }

  draw(block: Block, at: { x: number; y: number }): void {
    for (const [index, line] of block.lines.entries()) {
      this.line(line, block.style, { x: at.x, y: at.y + index * block.style.size * leading });
    }
  }

  /** @returns the x coordinate of the end of the text */
  line(text: string, style: Style, { x, y }: { x: number; y: number }): number {
    let end = x;
    for (const { cut, text: part, advance } of this.#runs(text, style.weight)) {
      this.#doc
        .font(cut)
        .fontSize(style.size)
        .fillColor(style.color)
        .text(part, end, y + style.size * ascent, {
          lineBreak: false,
          baseline: 'alphabetic',
        });
      end += advance * style.size;
    }
    return end;
  }

  /** Groups neighbouring characters of the same typeface. */
  #runs(text: string, weight: Weight): Run[] {
    const runs: Run[] = [];
    for (const character of text) {
      const found = this.#faces.metricsOf(character, weight);
      const metrics = found ?? this.#faces.metricsOf(unknownCharacter, weight);
      if (!metrics) continue;
      const shown = found ? character : unknownCharacter;
      const last = runs.at(-1);
      if (last?.cut === metrics.cut) {
        last.text += shown;
        last.advance += metrics.advance;
      } else {
        runs.push({ cut: metrics.cut, text: shown, advance: metrics.advance });
      }
    }
    return runs;
  }
}

interface Run {
  cut: string;
  text: string;
  /** Width in units of the font size. */
  advance: number;
}
