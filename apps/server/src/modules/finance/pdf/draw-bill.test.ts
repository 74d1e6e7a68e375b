import { deflateSync } from 'node:zlib';
import { type Language, languages } from '@simcube/contract';
import { billTypes } from '@simcube/contract/finance';
import { moneyFormats } from '@simcube/contract/money';
import { phrase } from '@simcube/phrases';
import { describe, expect, it, vi } from 'vitest';
import { billDocument, fieldsOfType, makeLines } from '../../../testing/bill-documents.ts';
import { readPdf } from '../../../testing/pdf.ts';
import { checkPdf } from '../../../testing/pdf-checkers.ts';
import { billTexts, lineFormatter } from '../document/bill-document.texts.ts';
import { facturX } from '../invoice/factur-x.rules.ts';
import { toInvoice } from '../invoice/invoice.rules.ts';
import { drawBill } from './draw-bill.ts';

// A Chinese typeface has 20 MB; the first document reads the library too.
vi.setConfig({ testTimeout: 60_000 });

/** Lines are broken at spaces, which are not drawn at line ends. */
const bare = (text: string) => text.replaceAll(/\s/g, '');
const draft = { status: 'draft', state: 'draft', issued_at: null, due_on: null } as const;
const eur = (language: Language) => {
  const { money } = moneyFormats(language);
  return (amount_minor: number) => bare(money({ currency: 'EUR', amount_minor }));
};

describe.each(languages)('in %s', (language) => {
  it.each(billTypes)(
    'a bill of type %s says what it comes to and why, with no character missing',
    async (type) => {
      const document = billDocument({ of: fieldsOfType[type] });
      const file = await drawBill(document, language);
      const { missing, text, plain } = readPdf(file);
      expect(missing).toBe(0);
      const money = eur(language);
      const isPaid = type === 'predeposit';
      const shown = [
        phrase(language, `finance.types.${type}`),
        phrase(language, `finance.states.${isPaid ? 'paid' : 'issued'}`),
        phrase(language, 'billDocument.section', { name: 'Acme Iberia' }),
        'ES91 2100 0418 4502 0005 1332',
        ...document.lines.map(({ amount_minor }) => money(amount_minor)),
        ...[213_664, 81_692, 131_972].map(money),
        `${phrase(language, 'finance.payment.toPay')}${money(isPaid ? 0 : 213_664)}`,
      ];
      for (const part of shown) expect(bare(text)).toContain(bare(part));
      for (const amount of [document.bill.credit_left_minor, document.bill.closing_minor])
        if (amount !== null) expect(bare(text)).toContain(money(amount));
      expect(plain).toContain(`/Lang (${language})`);
      const { problems: complaints, pageTexts } = await checkPdf(file);
      expect(complaints).toEqual([]);
      if (pageTexts) expect(bare(pageTexts.join(''))).toContain(money(213_664));
    },
  );

  it('drafts and replaced versions are stamped on each page and request no payment', async () => {
    const toPay = bare(phrase(language, 'finance.payment.toPay'));
    const replaced = { status: 'obsolete', state: null } as const;
    for (const [of, stamp] of [
      [draft, 'draft'],
      [replaced, 'replaced'],
    ] as const) {
      const { pageTexts } = readPdf(await drawBill(billDocument({ of }), language));
      expect(pageTexts.length).toBeGreaterThan(1);
      for (const text of pageTexts) {
        expect(bare(text)).toContain(bare(phrase(language, `billDocument.${stamp}`)));
        expect(bare(text)).not.toContain(toPay);
      }
      expect(bare(pageTexts[0] ?? '')).toContain(
        bare(phrase(language, `billDocument.${stamp}Note`).split('{{')[0] ?? ''),
      );
    }
  });
});

it('long names and addresses are complete, with what is charged after them', async () => {
  const name = '喆铁物联科技有限公司华南区域连接业务事业部第三营业处'.repeat(3).slice(0, 60);
  const address = '上海市浦东新区世纪大道一百号环球金融中心四十五层'.repeat(5).slice(0, 120);
  const document = billDocument();
  const { text } = readPdf(
    await drawBill(
      billDocument({
        payee: document.payee && { ...document.payee, address },
        lines: document.lines.map((line) => ({ ...line, bundle: { code: 'LONG', name } })),
        sims: [{ iccid: '8934070000023548827', device_name: name, amount_micros: 19_248_000 }],
      }),
      'zh-CN',
    ),
  );
  const texts = billTexts(document, 'zh-CN', true);
  const kind = texts.sections[0]?.groups[0]?.lines[0]?.name.replace('EU 8 GB Month', name) ?? '';
  expect(kind).not.toBe(name);
  for (const whole of [address, kind, `8934070000023548827${name}`]) expect(bare(text)).toContain(whole);
});

it('a new version states what it replaced and why; corrections, payments and the open amount are shown', async () => {
  const document = billDocument({
    of: { version: 2, paid_minor: 100_000 },
    replaces: { version: 1, totalMinor: 218_446, issuedOn: '2026-11-03', reason: 'Another tariff' },
    payments: [{ paid_on: '2026-11-10', amount_minor: 100_000, reference: 'TX 1' }],
  });
  const text = bare(readPdf(await drawBill(document, 'en-US')).text);
  for (const part of [
    'replaces version 1 of Nov 3, 2026',
    '€2,184.46. Reason: Another tariff',
    'over the quota, correction of September 2026',
    '-896 started MB × €0.004 = -€3.584, rounded once: -€3.58',
    'Nov 10, 2026 TX 1 €1,000.00',
    'To pay €1,136.64',
  ])
    expect(text).toContain(bare(part));
});

it.each([
  ['JPY', 5000, '¥5,000'],
  ['KWD', 4_123_456, 'KWD 4,123.456'],
])('amounts in %s have its digits', async (currency, total_minor, shown) => {
  const [line] = billDocument().lines;
  const lines = line ? [{ ...line, amount_minor: total_minor }] : [];
  const document = billDocument({ of: { currency, total_minor }, lines });
  expect(bare(readPdf(await drawBill(document, 'en-US')).text)).toContain(bare(shown));
});

it('many lines span pages with repeated column headings and page numbers', async () => {
  const file = await drawBill(billDocument({ lines: makeLines(200), simCount: 1_000_000 }), 'en-US');
  const { pages, pageTexts, plain } = readPdf(file);
  expect(pages).toBeGreaterThan(8);
  for (const [index, text] of pageTexts.entries()) {
    expect(bare(text)).toContain(`Page${index + 1}of${pages}`);
    if (text.includes('rounded once')) expect(bare(text)).toContain('LineTariffQuantityPriceAmount');
  }
  const all = bare(pageTexts.join(''));
  for (const number of [1, 40, 41, 200]) expect(all).toContain(`Bundlenumber${number},`);
  expect(all).toContain(bare('The 2 with the highest cost, of 1,000,000. The file “SIMs by cycle”'));
  // A table for each section and one of SIMs, however many pages they span.
  expect(plain.match(/\/S \/Table\b/g)).toHaveLength(6);
  expect((await checkPdf(file)).problems).toEqual([]);
});

it('headings are tagged, and the document has a title', async () => {
  const { plain } = readPdf(await drawBill(billDocument({ of: { version: 2 } }), 'en-US'));
  for (const tag of ['/S /H1', '/S /H2', '/S /TH', '/S /TD', '/Scope /Column', '/Scope /Row'])
    expect(plain).toContain(tag);
  expect(plain).toContain('/Marked true');
  expect(plain).toContain('/DisplayDocTitle true');
  expect(plain).toMatch(/<dc:title>[\s\S]{0,300}Bill BILL-2026-10-00417 .{1,2} Version 2/);
});

it('a bill without lines, SIMs and payee is still a document', async () => {
  const document = billDocument({ lines: [], sims: [], simCount: 0, payee: null });
  const { pages, text } = readPdf(await drawBill(document, 'en-US'));
  expect(pages).toBe(1);
  expect(bare(text)).toContain(bare('This bill has no lines'));
  expect(bare(text)).toContain(bare('The operator has not yet specified who bills are paid to.'));
});

it('a downloadable bill is PDF/A-3b with embedded XML, declared in the metadata', async () => {
  const document = billDocument();
  const file = await drawBill(document, 'zh-CN');
  const { plain, embedded, text } = readPdf(file);
  for (const part of [
    '<pdfaid:part>3</pdfaid:part>',
    '<pdfaid:conformance>B</pdfaid:conformance>',
    '/S /GTS_PDFA1',
    '/Subtype /text#2Fxml',
    '/AFRelationship /Alternative',
    '/UF (factur-x.xml)',
    '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    '<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>',
  ])
    expect(plain).toContain(part);
  // ISO 19005-3, 6.2.11.4.1: each font that is used is in the file.
  expect(plain.match(/\/Type \/FontDescriptor/g)?.length).toBe(plain.match(/\/FontFile2 \d+ 0 R/g)?.length);
  const invoice = toInvoice(document, lineFormatter('zh-CN', 'EUR'));
  expect(embedded).toEqual([invoice && facturX(invoice)]);
  expect(bare(text)).toContain(bare(phrase('zh-CN', 'billDocument.xml')));
});

it('a draft is PDF/A-3b without XML and does not declare any', async () => {
  const { plain, embedded, text } = readPdf(await drawBill(billDocument({ of: draft }), 'en-US'));
  expect(plain).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(embedded).toEqual([]);
  expect([plain, text].join()).not.toContain('factur-x');
});

it('the same bill is the same file, octet by octet', async () => {
  const [once, again] = [await drawBill(billDocument(), 'zh-TW'), await drawBill(billDocument(), 'zh-TW')];
  expect(once.equals(again)).toBe(true);
});

const chunk = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
};
/** One row of grey pixels. */
const png = (width: number) => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(1, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(width + 1, 120))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
const url = (content: Buffer) => `data:image/png;base64,${content.toString('base64')}`;

it('logos are drawn and named; invalid or too large images are omitted', async () => {
  const figures = async (logo: string) => {
    const buyer = { ...billDocument().buyer, logo };
    const { plain } = readPdf(await drawBill(billDocument({ logo, buyer }), 'en-US'));
    return [...plain.matchAll(/\/Alt \(([^)]*)\)/g)].map(([, alt]) => alt);
  };
  expect(await figures(url(png(40)))).toEqual(['Simcube Operator S.L.', 'Acme Mobility']);
  for (const logo of [url(png(4000)), 'https://logo.example/a.png', url(Buffer.from('nothing'))])
    expect(await figures(logo)).toEqual([]);
});
