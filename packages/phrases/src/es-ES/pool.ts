import type { Phrases } from '../shape.ts';

/** Shared pools: their list and their pages. */
export const pool: Phrases['pool'] = {
  label: 'Bolsas compartidas de la organización',
  search: 'Buscar por nombre o plan',
  empty: 'No hay bolsas compartidas',
  emptyHint: 'Su operador crea las bolsas de su organización.',
  noMatch: 'Ninguna bolsa coincide',
  noMatchHint: 'Busque otra parte de un nombre o de un plan, o use menos filtros.',
  usedShare: '{{percent}} consumido',
  ofAll: '{{part}} de {{all}}',
  fields: {
    name: 'Bolsa',
    state: 'Estado',
    usage: 'Consumo del ciclo',
    left: 'Disponible',
    activeSims: 'SIM activas',
    bundle: 'Plan',
    policy: 'Política',
    optIn: 'Incorporación',
    rule: 'Regla de activación',
    base: 'Límite base por SIM',
    cycleStarted: 'Inicio del ciclo',
    cycleEnds: 'Fin del ciclo',
  },
  states: { within: 'Dentro del límite', over: 'Límite superado' },
  policies: { 'no limit': 'Sin límite', 'stop overage SIMs': 'Detener las SIM que superan su parte' },
  optIns: { automatic: 'Automática', manual: 'Manual' },
  rules: { standard: 'Estándar', 'pro-rata': 'Prorrata' },
};
