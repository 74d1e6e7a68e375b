import type PDFDocument from 'pdfkit';
import { linesOf } from './paragraph.rules.ts';
import type { Typefaces, Weight } from './typefaces.ts';

export type PdfDocument = InstanceType<typeof PDFDocument>;

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

/** From one line to the next, in sizes: Chinese needs the room that Latin would not. */
const leading = 1.5;
/** From the top of a line to its baseline, in sizes. */
const ascent = 1.12;
/** Stands for a character that no typeface has, such as an emoji in a name. */
const unknownCharacter = '?';

/** What can't be seen or would change the direction of what follows; a report has no use for it. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu;

/** Sets text of any script in a document, each character in a typeface that has it. */
export class Typesetter {
  readonly #doc: PdfDocument;
  readonly #faces: Typefaces;

  constructor(doc: PdfDocument, faces: Typefaces) {
    this.#doc = doc;
    this.#faces = faces;
    for (const { name, content } of faces.cuts) doc.registerFont(name, content);
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

  widthOf(text: string, style: Style): number {
    return this.#runs(text, style.weight).reduce((sum, run) => sum + this.#measure(run, style), 0);
  }

  draw(block: Block, at: { x: number; y: number }): void {
    for (const [index, line] of block.lines.entries()) {
      this.line(line, block.style, { x: at.x, y: at.y + index * block.style.size * leading });
    }
  }

  /** @returns where the text ends */
  line(text: string, style: Style, { x, y }: { x: number; y: number }): number {
    let end = x;
    for (const run of this.#runs(text, style.weight)) {
      const width = this.#measure(run, style);
      this.#doc.fillColor(style.color).text(run.text, end, y + style.size * ascent, {
        lineBreak: false,
        baseline: 'alphabetic',
      });
      end += width;
    }
    return end;
  }

  #measure(run: Run, { size }: Style): number {
    return this.#doc.font(run.cut).fontSize(size).widthOfString(run.text);
  }

  /** Neighbouring characters of one typeface together. */
  #runs(text: string, weight: Weight): Run[] {
    const runs: Run[] = [];
    for (const character of text) {
      const found = this.#faces.cutOf(character, weight);
      const cut = found ?? this.#faces.cutOf(unknownCharacter, weight) ?? '';
      const shown = found === undefined ? unknownCharacter : character;
      const last = runs.at(-1);
      if (last?.cut === cut) last.text += shown;
      else runs.push({ cut, text: shown });
    }
    return runs;
  }
}

interface Run {
  cut: string;
  text: string;
}
