import type { Bill, BillLine, Payee } from '@simcube/contract/finance';

/** The content of a bill's document, read at one moment. */
export interface BillDocument {
  bill: Bill;
  /** For a version that replaced another. */
  replaces: { version: number; totalMinor: number; issuedOn: string; reason: string } | null;
  /** The payee; null until the operator has set one. */
  payee: Payee | null;
  buyer: { code: string; name: string; country: string; logo: string | null };
  /** The operator's logo as a data URL. */
  logo: string | null;
  payments: readonly { paid_on: string; amount_minor: number; reference: string }[];
  lines: readonly DocumentLine[];
  /** The SIMs that cost most. */
  sims: readonly DocumentSim[];
  simCount: number;
}

export type DocumentLine = Omit<BillLine, 'before_minor'>;

export interface DocumentSim {
  iccid: string;
  device_name: string | null;
  amount_micros: number;
}

/** The stamp across each page of a bill that is not to be paid. */
export type Stamp = 'draft' | 'replaced';

export const stampOf = ({ bill }: BillDocument): Stamp | null => {
  if (bill.status === 'draft') return 'draft';
  return bill.status === 'obsolete' ? 'replaced' : null;
};

/** The paid part of a bill, by payments and by the deposit. */
export const settledMinor = ({ bill }: BillDocument): number => bill.total_minor - bill.to_pay_minor;

/** Lines by section, in order. */
export const sectionsOf = (
  lines: readonly DocumentLine[],
): { code: string; name: string; lines: DocumentLine[] }[] => {
  const sections = new Map<string, { code: string; name: string; lines: DocumentLine[] }>();
  for (const line of lines) {
    const { code, name } = line.organisation;
    const section = sections.get(code) ?? { code, name, lines: [] };
    section.lines.push(line);
    sections.set(code, section);
  }
  return [...sections.values()];
};
