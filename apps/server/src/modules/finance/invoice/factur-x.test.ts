import { billTypes } from '@simcube/contract/finance';
import { expect, it } from 'vitest';
import { billDocument, fieldsOfType, makeLines } from '../../../testing/bill-documents.ts';
import { textsIn, violationsIn } from '../../../testing/en16931.ts';
import type { BillDocument } from '../document/bill-document.rules.ts';
import { lineFormatter } from '../document/bill-document.texts.ts';
import { facturX } from './factur-x.rules.ts';
import { toInvoice } from './invoice.rules.ts';

const invoiced = (document: BillDocument) =>
  toInvoice(document, lineFormatter('en-US', document.bill.currency));
const xmlOf = (document: BillDocument): string => {
  const invoice = invoiced(document);
  return invoice ? facturX(invoice) : '';
};
const second: BillDocument = billDocument({
  of: { version: 2, paid_minor: 100_000 },
  replaces: { version: 1, totalMinor: 218_446, issuedOn: '2026-11-03', reason: 'Another tariff' },
});

it.each(billTypes)('a bill of type %s is an invoice that keeps the rules', (type) => {
  expect(violationsIn(xmlOf(billDocument({ of: fieldsOfType[type] })))).toEqual([]);
});

it.each([
  ['a version that replaced another, partly paid', second],
  ['one with many lines', billDocument({ lines: makeLines(500) })],
  ['one that comes to less than nothing', billDocument({ lines: billDocument().lines.slice(6) })],
  ['one of a currency without digits', billDocument({ of: { currency: 'JPY' } })],
  [
    'one with names that XML must escape',
    billDocument({ buyer: { code: 'A&B', name: '<A> & "B" \u0001', country: 'DE', logo: null } }),
  ],
])('%s keeps them too', (_, document) => {
  expect(violationsIn(xmlOf(document))).toEqual([]);
});

it('totals are the amount billed, the amount paid and the amount due', () => {
  const texts = (path: string) => textsIn(xmlOf(second), path);
  const total = '//ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram';
  expect(texts(`${total}:LineTotalAmount`)).toEqual(['2136.64']);
  expect(texts(`${total}:TotalPrepaidAmount`)).toEqual(['1000.00']);
  expect(texts(`${total}:DuePayableAmount`)).toEqual(['1136.64']);
  expect(texts('//ram:BilledQuantity/@unitCode')).toEqual(['C62', 'C62', 'E63', 'C62', 'C62', 'C62', 'E63']);
  expect(texts('//ram:BilledQuantity').at(-1)).toBe('-896');
});

it('the part covered by the deposit counts as paid', () => {
  const xml = xmlOf(billDocument({ of: fieldsOfType.predeposit }));
  expect(textsIn(xml, '//ram:TotalPrepaidAmount | //ram:DuePayableAmount')).toEqual(['2136.64', '0.00']);
});

it('euros are paid by SEPA transfer, other currencies by another one', () => {
  const meansOf = (currency: string) => invoiced(billDocument({ of: { currency } }))?.payment.means;
  expect(['EUR', 'USD', 'JPY'].map(meansOf)).toEqual(['58', '30', '30']);
});

it('a replacement version has its own number and refers to the replaced one', () => {
  const xml = xmlOf(second);
  expect(textsIn(xml, '//rsm:ExchangedDocument/ram:ID')).toEqual(['BILL-2026-10-00417-v2']);
  expect(textsIn(xml, '//rsm:ExchangedDocument/ram:TypeCode')).toEqual(['384']);
  expect(textsIn(xml, '//ram:InvoiceReferencedDocument/*')).toEqual(
    ['BILL-2026-10-00417', '20261103'].map((text) => expect.stringContaining(text)),
  );
  // BT-134 and BT-135: the month that is corrected.
  const period = '//ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod//udt:DateTimeString';
  expect(textsIn(xml, period)).toEqual(['20260901', '20260930']);
});

it('names are preserved unchanged', () => {
  const buyer = { code: 'A&B', name: '<A> & "B"', country: 'DE', logo: null };
  const xml = xmlOf(billDocument({ buyer }));
  expect(textsIn(xml, '//ram:BuyerTradeParty/ram:Name')).toEqual(['<A> & "B"']);
});

it.each<[string, BillDocument]>([
  ['a draft', billDocument({ of: { status: 'draft', issued_at: null, due_on: null } })],
  ['a version that was replaced', billDocument({ of: { status: 'obsolete' } })],
  ['one that nobody is to be paid', billDocument({ payee: null })],
  ['one without lines', billDocument({ lines: [] })],
  ['one of a currency with three digits', billDocument({ of: { currency: 'KWD' } })],
])('%s is no invoice', (_, document) => {
  expect(invoiced(document)).toBeUndefined();
});

it('the validator reports invalid invoices', () => {
  const xml = xmlOf(billDocument());
  const complaints = (from: RegExp, to: string) => {
    const doctored = xml.replace(from, to);
    expect(doctored).not.toBe(xml);
    return violationsIn(doctored);
  };
  expect(complaints(/(<ram:GrandTotalAmount>)[\d.]+/, '$19.99')).toEqual(['BR-CO-15', 'BR-CO-16']);
  expect(complaints(/unitCode="E63"/, 'unitCode="MB"')).toEqual(['BR-CL-23']);
  expect(complaints(/(<ram:LineTotalAmount>)688.80/, '$1688.801')).toContain('BR-DEC-09 to BR-DEC-23');
  expect(complaints(/<ram:InvoiceCurrencyCode>.*/, '').join()).toContain('schema: ');
});
