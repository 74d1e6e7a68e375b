import { hashOctets53 } from '../usage-hash.rules.ts';
import type { CdrLayout } from './cdr-columns.rules.ts';
import {
  apnOf,
  type CdrLine,
  identifierKinds,
  maxOctets,
  maxRecordIdLength,
  maxTextLength,
  parseCdrLine,
  parseRadio,
  parseTime,
  recordKey,
} from './cdr-line.rules.ts';
import { type LineBlock, maxLineOctets, textOf } from './lines.ts';
import { OctetTable } from './octet-table.ts';
import { RecordColumns } from './record-columns.ts';
import type { Refusal } from './records.ts';

const octet = { tab: 0x09, newline: 0x0a, return: 0x0d, space: 0x20, comma: 0x2c, dash: 0x2d, point: 0x2e };
const [zero, colon, letterT, letterZ, del] = [0x30, 0x3a, 0x54, 0x5a, 0x7f];
const quote = 0x22;

/** Tags of texts in the table. */
const tags = { apn: 1, cell: 2, radio: 3, day: 4 };
/** Maximum length of identifiers that are parsed here; longer ones are left to the rules. */
const maxPlainIdentifier = 24;
const maxCachedTexts = 65_536;

/** Lines read since the last chunk. */
export interface ReadLines {
  columns: RecordColumns;
  /** The stored forms of texts; the columns `apn` and `cell` are positions in this list. */
  texts: readonly Buffer[];
  refusals: Refusal[];
}

/**
 * Parses lines of CDRs from the octets of the file into columns. Nearly all lines are plain: printable ASCII without
 * quotes, with all fields in their usual form. They are parsed digit by digit, and each distinct text is interpreted
 * once. Lines that are not plain in any respect are left to `parseCdrLine`, whose rules apply here too, so this reader
 * refuses nothing.
 */
export class LineReader {
  /** Numbers identifiers; the tag is the kind's position in `identifierKinds`. */
  #identifiers: OctetTable;
  readonly #layout: CdrLayout;
  readonly #identifierColumns: readonly number[];
  /** End position of each field of the line. */
  readonly #ends: Int32Array;
  #line: number;
  #columns = new RecordColumns();
  #refusals: Refusal[] = [];
  #table = new OctetTable();
  /** The meaning of each text in the table: a position in `#texts`, a radio type, or the start of a day. */
  #meanings: number[] = [];
  #texts: Buffer[] = [];
  /** Start and end of the current field. */
  #from = 0;
  #to = 0;
  /** Session key of the current line. */
  #session = -1;

  /** @param line number of earlier lines, including the header */
  constructor(layout: CdrLayout, line: number) {
    this.#layout = layout;
    this.#identifierColumns = identifierKinds.map((kind) => layout[kind]);
    this.#identifiers = new OctetTable();
    this.#ends = new Int32Array(layout.width);
    this.#line = line;
  }

  /** Number of lines so far, including the header. */
  get line(): number {
    return this.#line;
  }

  /** Number of records and refusals since the last chunk. */
  get count(): number {
    return this.#columns.length + this.#refusals.length;
  }

  take(): ReadLines {
    const taken = { columns: this.#columns, texts: this.#texts, refusals: this.#refusals };
    this.#columns = new RecordColumns(this.#columns.capacity);
    this.#refusals = [];
    if (this.#table.size > maxCachedTexts) {
      this.#table = new OctetTable();
      this.#meanings = [];
      this.#texts = [];
    }
    return taken;
  }

  read({ octets, isTruncated }: LineBlock, identifiers: OctetTable): void {
    this.#identifiers = identifiers;
    let from = 0;
    if (isTruncated) from = this.#skipRest(octets);
    while (from < octets.length) {
      const plain = this.#findFields(octets, from);
      const end = this.#to;
      this.#line += 1;
      if (this.#line > 1 && end > from) this.#readLine(octets, { from, end, plain });
      from = end + 1;
    }
  }

  #skipRest(octets: Buffer): number {
    this.#line += 1;
    if (this.#line > 1) this.#refusals.push({ line: this.#line, reason: 'line-too-long' });
    const end = octets.indexOf(octet.newline);
    return end < 0 ? octets.length : end + 1;
  }

  /** Finds the end of the line (`#to`) and of each of its fields. @returns whether the line may be plain */
  #findFields(octets: Buffer, start: number): boolean {
    const { width } = this.#layout;
    const ends = this.#ends;
    let field = 0;
    let isPlain = true;
    let at = start;
    for (; at < octets.length; at += 1) {
      const value = octets[at] as number;
      if (value > octet.comma && value < del) continue;
      if (value === octet.comma) {
        if (field < width) ends[field] = at;
        field += 1;
      } else if (value === octet.newline) break;
      else if (value === quote || value >= del) isPlain = false;
      else if (value < octet.space && !isEndOfLine(octets, at)) isPlain = false;
    }
    this.#to = at;
    // A carriage return before the line break belongs to no field.
    if (field === width - 1) ends[field] = at > start && octets[at - 1] === octet.return ? at - 1 : at;
    return isPlain && field === width - 1 && at - start <= maxLineOctets;
  }

  #readLine(octets: Buffer, { from, end, plain }: { from: number; end: number; plain: boolean }): void {
    if (plain && this.#readPlain(octets, from)) return;
    const octetsOfLine = octets.subarray(from, end);
    if (octetsOfLine.length > maxLineOctets) {
      this.#refusals.push({ line: this.#line, reason: 'line-too-long' });
      return;
    }
    const text = textOf(octetsOfLine);
    if (text === '') return;
    const line = parseCdrLine(text, this.#layout);
    if (typeof line === 'string') this.#refusals.push({ line: this.#line, reason: line });
    else this.#addRead(line);
  }

  #addRead(line: CdrLine): void {
    const columns = this.#columns;
    const position = columns.add();
    const identifier = Buffer.from(line.identifier);
    columns.line[position] = this.#line;
    columns.identifier[position] = this.#identifiers.numberOf(
      identifier,
      0,
      identifier.length,
      identifierKinds.indexOf(line.kind),
    );
    columns.key[position] = line.key;
    columns.session[position] = line.session;
    columns.startedAt[position] = line.startedAt;
    columns.endedAt[position] = line.endedAt;
    columns.up[position] = line.up;
    columns.down[position] = line.down;
    columns.plmn[position] = line.plmn;
    columns.radio[position] = line.radio;
    columns.apn[position] = this.#textOf(line.apn, tags.apn);
    columns.cell[position] = this.#textOf(line.cell, tags.cell);
    if (line.total) columns.setTotal(position, line.total);
  }

  /** @returns false if the line is not plain; nothing was added then */
  #readPlain(octets: Buffer, start: number): boolean {
    const layout = this.#layout;
    // A record that names its gateway may also have arrived by RADIUS, so its key is computed elsewhere.
    if (layout.gateway >= 0) return false;
    const identifier = this.#identifier(octets, start);
    if (identifier < 0) return false;
    this.#find(layout.ended_at, start);
    const endedAt = this.#time(octets);
    this.#find(layout.started_at, start);
    const startedAt = this.#from === this.#to ? endedAt : this.#time(octets);
    this.#find(layout.up_bytes, start);
    const up = this.#volume(octets);
    this.#find(layout.down_bytes, start);
    const down = this.#volume(octets);
    // Also true if either is NaN.
    if (!(startedAt <= endedAt) || up < 0 || down < 0) return false;
    const plmn = this.#network(octets, start);
    this.#find(layout.rat, start);
    const radio = this.#from === this.#to ? 0 : this.#meaning(octets, tags.radio);
    if (plmn < 0 || radio < 0) return false;
    this.#find(layout.apn, start);
    if (!this.#isPlainText(octets, maxTextLength)) return false;
    const apn = this.#from === this.#to ? -1 : this.#meaning(octets, tags.apn);
    this.#find(layout.cell, start);
    if (!this.#isPlainText(octets, maxTextLength)) return false;
    const cell = this.#from === this.#to ? -1 : this.#meaning(octets, tags.cell);
    const key = this.#key(octets, start, { startedAt, up, down });
    if (key < 0) return false;
    const columns = this.#columns;
    const position = columns.add();
    columns.line[position] = this.#line;
    columns.identifier[position] = identifier;
    columns.key[position] = key;
    columns.session[position] = this.#session;
    columns.startedAt[position] = startedAt;
    columns.endedAt[position] = endedAt;
    columns.up[position] = up;
    columns.down[position] = down;
    columns.plmn[position] = plmn;
    columns.radio[position] = radio;
    columns.apn[position] = apn;
    columns.cell[position] = cell;
    return true;
  }

  /** Selects a field of the line; an empty one if the file does not have the column. */
  #find(index: number, start: number): void {
    this.#from = index <= 0 ? start : (this.#ends[index - 1] as number) + 1;
    this.#to = index < 0 ? start : (this.#ends[index] as number);
  }

  /** Whether the field needs no trimming and is not too long. */
  #isPlainText(octets: Buffer, maxLength: number): boolean {
    const length = this.#to - this.#from;
    if (length === 0) return true;
    return (
      length <= maxLength &&
      (octets[this.#from] as number) > octet.space &&
      (octets[this.#to - 1] as number) > octet.space
    );
  }

  #identifier(octets: Buffer, start: number): number {
    for (let kind = 0; kind < identifierKinds.length; kind += 1) {
      this.#find(this.#identifierColumns[kind] as number, start);
      if (this.#from === this.#to) continue;
      if (!this.#isPlainText(octets, maxPlainIdentifier)) return -1;
      return this.#identifiers.numberOf(octets, this.#from, this.#to, kind);
    }
    return -1;
  }

  #key(octets: Buffer, start: number, record: { startedAt: number; up: number; down: number }): number {
    this.#find(this.#layout.record_id, start);
    if (!this.#isPlainText(octets, maxRecordIdLength / 2)) return -1;
    const id = this.#from === this.#to ? -1 : hashOctets53(octets, this.#from, this.#to);
    this.#find(this.#layout.session_id, start);
    if (!this.#isPlainText(octets, maxRecordIdLength / 2)) return -1;
    const session = hashOctets53(octets, this.#from, this.#to);
    this.#session = this.#from === this.#to ? -1 : session;
    return id >= 0 ? id : recordKey(session, record);
  }

  #digits(octets: Buffer, from: number, to: number): number {
    let value = 0;
    let invalid = 0;
    for (let at = from; at < to; at += 1) {
      const digit = (octets[at] as number) - zero;
      // Becomes negative as soon as a digit is below 0 or above 9.
      invalid |= digit | (9 - digit);
      value = value * 10 + digit;
    }
    return invalid < 0 ? -1 : value;
  }

  /** Parses `2026-11-21T03:12:45Z`, the same with milliseconds, or Unix time; NaN for other forms. */
  #time(octets: Buffer): number {
    const [from, to] = [this.#from, this.#to];
    const length = to - from;
    if (length !== 20 && length !== 24) return Number.NaN;
    const day = this.#day(octets, from);
    const hour = this.#digits(octets, from + 11, from + 13);
    const minute = this.#digits(octets, from + 14, from + 16);
    const second = this.#digits(octets, from + 17, from + 19);
    const milliseconds = length === 24 ? this.#digits(octets, from + 20, from + 23) : 0;
    const isWellFormed =
      octets[from + 10] === letterT &&
      octets[from + 13] === colon &&
      octets[from + 16] === colon &&
      octets[to - 1] === letterZ &&
      (length === 20 || octets[from + 19] === octet.point);
    if (!isWellFormed || hour < 0 || hour > 23 || minute < 0 || minute > 59) return Number.NaN;
    if (second < 0 || second > 59 || milliseconds < 0) return Number.NaN;
    return day + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
  }

  #day(octets: Buffer, from: number): number {
    this.#from = from;
    this.#to = from + 10;
    return this.#meaning(octets, tags.day);
  }

  /** Parses octets; -1 if invalid or too large. */
  #volume(octets: Buffer): number {
    const length = this.#to - this.#from;
    if (length === 0 || length > 16) return -1;
    const value = this.#digits(octets, this.#from, this.#to);
    return value <= maxOctets ? value : -1;
  }

  #network(octets: Buffer, start: number): number {
    this.#find(this.#layout.mcc, start);
    const mccLength = this.#to - this.#from;
    const mcc = this.#digits(octets, this.#from, this.#to);
    this.#find(this.#layout.mnc, start);
    const mncLength = this.#to - this.#from;
    if (mccLength === 0 && mncLength === 0) return 0;
    const mnc = this.#digits(octets, this.#from, this.#to);
    if (mccLength !== 3 || mncLength < 2 || mncLength > 3 || mcc < 0 || mnc < 0) return -1;
    return mcc * 1000 + mnc;
  }

  /** The meaning of the field's text, computed when it first appears. */
  #meaning(octets: Buffer, tag: number): number {
    const number = this.#table.numberOf(octets, this.#from, this.#to, tag);
    return number < this.#meanings.length ? (this.#meanings[number] as number) : this.#resolve(number, tag);
  }

  #resolve(number: number, tag: number): number {
    const text = this.#table.text(number);
    let meaning: number;
    if (tag === tags.radio) meaning = parseRadio(text);
    else if (tag === tags.day) meaning = parseTime(`${text}T00:00:00Z`);
    else {
      meaning = this.#texts.length;
      this.#texts.push(Buffer.from(tag === tags.apn ? apnOf(text) : text));
    }
    this.#meanings.push(meaning);
    return meaning;
  }

  #textOf(text: string | null, tag: number): number {
    if (text === null) return -1;
    const octets = Buffer.from(text);
    [this.#from, this.#to] = [0, octets.length];
    return this.#meaning(octets, tag);
  }
}

/** Whether a carriage return is part of a line break. */
const isEndOfLine = (octets: Buffer, at: number): boolean =>
  octets[at] === octet.return && (at + 1 === octets.length || octets[at + 1] === octet.newline);
