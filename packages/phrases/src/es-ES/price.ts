import type { Phrases } from '../shape.ts';

export const price: Phrases['price'] = {
  column: 'Coste',
  title: 'Coste del ciclo',
  provisional: 'Provisional: el consumo que se notifique con retraso aún puede cambiarlo',
  nothing: 'Nada hasta ahora',
  tariff: 'Tarifa {{name}}, versión del {{date}}',
  line: '{{kind}} · {{name}}',
  kinds: {
    activation: 'Activación',
    cycle: 'Cuota del ciclo',
    'over-quota': 'Por encima de la cuota',
    'out-of-coverage': 'Fuera de cobertura',
    'pool-cycle': 'Cuota de la bolsa',
    'over-pool-limit': 'Por encima del límite de la bolsa',
  },
  /** Quantity and unit price. */
  quantity: {
    each: '{{quantity}} × {{price}}',
    MB: '{{quantity}} MB × {{price}}',
    block: '{{quantity}} bloques × {{price}}',
  },
  /** How usage beyond a shared pool’s limit is calculated. */
  overLimit: {
    plain: '{{used}} consumidos − {{limit}} de límite = {{beyond}} por encima',
    zoned: '{{used}} consumidos − {{zoned}} cobrados por zona − {{limit}} de límite = {{beyond}} por encima',
    within: '{{used}} consumidos: dentro del límite de {{limit}}',
    zonedWithin: '{{used}} consumidos − {{zoned}} cobrados por zona: dentro del límite de {{limit}}',
    once: 'El consumo que se cobra por zona no se cobra otra vez como superior al límite.',
  },
};
