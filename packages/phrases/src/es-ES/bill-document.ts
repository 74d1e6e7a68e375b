import type { Phrases } from '../shape.ts';

/** Texts of a bill's PDF, in addition to those that it shares with the screens. */
export const billDocument: Phrases['billDocument'] = {
  title: 'Factura {{number}}',
  from: 'Emitida por',
  registration: 'Registro mercantil: {{number}}',
  customer: 'Cliente {{code}}',
  period: 'Periodo',
  periodValue: 'del {{from}} al {{until}} ({{zone}})',
  draft: 'Borrador',
  draftNote:
    'Borrador calculado el {{at}}. Se vuelve a calcular hasta que se emita la factura; aún no hay nada que pagar.',
  replaced: 'Sustituida',
  replacedNote: 'Una versión posterior sustituyó a esta: ya no hay que pagarla.',
  reason: 'Su importe era {{amount}}. Motivo: {{reason}}',
  correctionsNote: 'Las correcciones son lo que facturas emitidas antes cobraron de más o de menos.',
  noPayee: 'El operador aún no ha indicado a favor de quién se pagan las facturas.',
  section: 'Sección {{name}}',
  subtotal: 'Subtotal de {{name}}',
  arithmetic: '{{product}}, {{rounded}}: {{amount}}',
  tax: 'Impuestos',
  noTax: 'no sujeto a impuestos',
  taxNote: 'Los importes no incluyen impuestos; esta factura no los cobra.',
  paid: 'Pagado',
  fromDeposit: 'Tomado del depósito',
  payments: 'Pagos',
  paidOn: 'Fecha',
  creditLimit: 'Límite de crédito',
  mostSims:
    'Las {{shown}} que más cuestan, de {{total}}. El archivo «SIM por ciclo» de la página de la factura las tiene todas.',
  exact: 'Los importes de las SIM son exactos; los que se redondean son los conceptos.',
  running: '{{number}}, {{customer}}',
  page: 'Página {{page}} de {{pages}}',
  xml: 'Este archivo lleva también la factura en XML (factur-x.xml, EN 16931).',
};
