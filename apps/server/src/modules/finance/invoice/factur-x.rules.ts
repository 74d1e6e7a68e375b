import type { Invoice, InvoiceLine, Period } from './invoice.rules.ts';
import { type Element, element, serialise, toXml } from './xml.rules.ts';

/** BT-24: the specification to which the invoice conforms. */
const guideline = 'urn:cen.eu:en16931:2017';

/**
 * BT-118, BT-151: amounts are before tax, which the product does not handle: "services outside the scope of
 * tax". The category has neither a rate (BR-O-05) nor the parties' VAT identifiers (BR-O-02).
 */
const category = 'O';
/** BT-120, BT-121 (BR-O-10) */
const exemption = { reason: 'Not subject to VAT', code: 'VATEX-EU-O' };

/** An invoice in the syntax of UN/CEFACT Cross Industry Invoice D16B (CEN/TS 16931-3-3), in the order of its schema. */
export const facturX = (invoice: Invoice): string =>
  toXml(
    element(
      'rsm:CrossIndustryInvoice',
      [
        element('rsm:ExchangedDocumentContext', [
          element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', guideline)]),
        ]),
        element('rsm:ExchangedDocument', [
          element('ram:ID', invoice.number),
          element('ram:TypeCode', invoice.type),
          element('ram:IssueDateTime', [day('udt', invoice.issuedOn)]),
        ]),
        element('rsm:SupplyChainTradeTransaction', [
          ...invoice.lines.map(lineItem),
          agreement(invoice),
          element('ram:ApplicableHeaderTradeDelivery', []),
          settlement(invoice),
        ]),
      ],
      {
        'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
        'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
        'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
        'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
      },
    ),
  );

/** UNTDID 2379, 102: `YYYYMMDD`. */
const day = (prefix: 'udt' | 'qdt', date: string): Element =>
  element(`${prefix}:DateTimeString`, date.replaceAll('-', ''), { format: '102' });

const period = ({ from, until }: Period): Element =>
  element('ram:BillingSpecifiedPeriod', [
    element('ram:StartDateTime', [day('udt', from)]),
    element('ram:EndDateTime', [day('udt', until)]),
  ]);

/** BG-25 */
const lineItem = (line: InvoiceLine): Element =>
  element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', line.id)]),
    element('ram:SpecifiedTradeProduct', [
      element('ram:Name', line.name),
      element('ram:Description', line.description),
    ]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [element('ram:ChargeAmount', line.price)]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [
      element('ram:BilledQuantity', line.quantity, { unitCode: line.unit }),
    ]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        element('ram:TypeCode', 'VAT'),
        element('ram:CategoryCode', category),
      ]),
      line.period === null ? undefined : period(line.period),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        element('ram:LineTotalAmount', line.amount),
      ]),
    ]),
  ]);

/** BG-4 and BG-7 */
const agreement = ({ seller, buyer }: Invoice): Element =>
  element('ram:ApplicableHeaderTradeAgreement', [
    element('ram:SellerTradeParty', [
      element('ram:Name', seller.name),
      element('ram:SpecifiedLegalOrganization', [element('ram:ID', seller.registration)]),
      element('ram:PostalTradeAddress', [
        element('ram:LineOne', seller.address),
        element('ram:CountryID', seller.country),
      ]),
    ]),
    element('ram:BuyerTradeParty', [
      element('ram:ID', buyer.code),
      element('ram:Name', buyer.name),
      element('ram:PostalTradeAddress', [element('ram:CountryID', buyer.country)]),
    ]),
  ]);

/** BG-16, BG-23, BG-14, BT-9, BG-22 and BG-3 */
const settlement = (invoice: Invoice): Element => {
  const { payment, totals, currency, preceding } = invoice;
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:PaymentReference', payment.reference),
    element('ram:InvoiceCurrencyCode', currency),
    element('ram:SpecifiedTradeSettlementPaymentMeans', [
      element('ram:TypeCode', payment.means),
      element('ram:PayeePartyCreditorFinancialAccount', [
        element('ram:IBANID', payment.iban),
        element('ram:AccountName', payment.account),
      ]),
      element('ram:PayeeSpecifiedCreditorFinancialInstitution', [element('ram:BICID', payment.bic)]),
    ]),
    element('ram:ApplicableTradeTax', [
      element('ram:CalculatedAmount', totals.tax),
      element('ram:TypeCode', 'VAT'),
      element('ram:ExemptionReason', exemption.reason),
      element('ram:BasisAmount', totals.lines),
      element('ram:CategoryCode', category),
      element('ram:ExemptionReasonCode', exemption.code),
    ]),
    period(invoice.period),
    element('ram:SpecifiedTradePaymentTerms', [element('ram:DueDateDateTime', [day('udt', invoice.dueOn)])]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', totals.lines),
      element('ram:TaxBasisTotalAmount', totals.lines),
      element('ram:TaxTotalAmount', totals.tax, { currencyID: currency }),
      element('ram:GrandTotalAmount', totals.lines),
      element('ram:TotalPrepaidAmount', totals.paid),
      element('ram:DuePayableAmount', totals.due),
    ]),
    preceding === null
      ? undefined
      : element('ram:InvoiceReferencedDocument', [
          element('ram:IssuerAssignedID', preceding.number),
          element('ram:FormattedIssueDateTime', [day('qdt', preceding.issuedOn)]),
        ]),
  ]);
};

/** Name of the file embedded in the PDF (Factur-X 1.0, 6.2.2). */
export const facturXName = 'factur-x.xml';

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
const properties = {
  DocumentType: { value: 'INVOICE', description: 'The type of the hybrid document' },
  DocumentFileName: { value: facturXName, description: 'The name of the embedded XML file' },
  Version: { value: '1.0', description: 'The version of the standard of the embedded XML file' },
  ConformanceLevel: { value: 'EN 16931', description: 'The conformance level of the embedded XML file' },
} as const;

/** The PDF's metadata about it, with the schema that PDF/A requires (ISO 19005-3, 6.6.2.3). */
export const facturXMetadata = (): string =>
  [
    element(
      'rdf:Description',
      Object.entries(properties).map(([name, { value }]) => element(`fx:${name}`, value)),
      { 'rdf:about': '', 'xmlns:fx': namespace },
    ),
    element(
      'rdf:Description',
      [
        element('pdfaExtension:schemas', [
          element('rdf:Bag', [
            element(
              'rdf:li',
              [
                element('pdfaSchema:schema', 'Factur-X PDFA Extension Schema'),
                element('pdfaSchema:namespaceURI', namespace),
                element('pdfaSchema:prefix', 'fx'),
                element('pdfaSchema:property', [
                  element(
                    'rdf:Seq',
                    Object.entries(properties).map(([name, { description }]) =>
                      element(
                        'rdf:li',
                        [
                          element('pdfaProperty:name', name),
                          element('pdfaProperty:valueType', 'Text'),
                          element('pdfaProperty:category', 'external'),
                          element('pdfaProperty:description', description),
                        ],
                        { 'rdf:parseType': 'Resource' },
                      ),
                    ),
                  ),
                ]),
              ],
              { 'rdf:parseType': 'Resource' },
            ),
          ]),
        ]),
      ],
      {
        'rdf:about': '',
        'xmlns:pdfaExtension': 'http://www.aiim.org/pdfa/ns/extension/',
        'xmlns:pdfaSchema': 'http://www.aiim.org/pdfa/ns/schema#',
        'xmlns:pdfaProperty': 'http://www.aiim.org/pdfa/ns/property#',
      },
    ),
  ]
    .map((one) => serialise(one))
    .join('');
