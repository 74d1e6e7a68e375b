import type { Phrases } from '../shape.ts';

export const dashboard: Phrases['dashboard'] = {
  title: 'Análisis',
  cycle: 'ciclo {{from}} – {{to}}',
  cards: {
    label: 'Cifras clave',
    active: 'SIM activas',
    activeOf: 'de {{total}}',
    activeCompared: '{{change}} respecto a la semana pasada',
    usage: 'Consumo de este ciclo',
    usageCompared: '{{change}} respecto al mismo día del ciclo anterior',
    overage: 'SIM con la cuota superada',
    overageCompared: '{{change}} desde ayer',
    overageSame: 'igual que ayer',
    expiring: 'Caducan en {{days}} días',
    expiringSoon: '{{shown}} en 7 días',
    noComparison: 'aún sin datos para comparar',
    trend: 'Tendencia de los últimos días: {{label}}',
  },
  chart: {
    title: 'Consumo de datos',
    range: 'Periodo del gráfico',
    ranges: {
      '24h': '24 h',
      week: 'Semana',
      '6months': '6 meses',
    },
    today: 'últimas 24 h',
    yesterday: 'día anterior',
    used: 'consumido',
    asOfProvisional: '{{asOf}} · provisional',
    lighterProvisional: '{{unit}} · más claro: provisional',
    hour: 'Hora',
    day: 'Día',
    month: 'Mes',
    none: 'Sin consumo en este periodo',
    cutOff: 'corte 23:59 {{zone}}',
  },
  lifecycle: {
    none: 'Esta organización aún no tiene SIM',
    title: 'Ciclo de vida',
    sims_one: 'SIM',
    sims_other: 'SIM',
    status: 'Estado',
  },
  sms: {
    title: 'SMS de este mes',
    leftOf: 'Partes restantes: {{shown}} de {{limit}}',
    left: 'Partes restantes: {{shown}}',
    noLimit: '{{shown}} partes, sin límite',
    shared:
      '{{own}} partes consumidas aquí, {{below}} por organizaciones inferiores, {{above}} por otras con la misma cuota',
    messages: '{{mt}} enviados, {{mo}} recibidos',
  },
  months: {
    title: '6 meses',
    used: 'Consumido',
  },
  week: {
    title: 'Esta semana',
  },
  rank: {
    title: 'Mayor consumo',
    eachCycle: 'ciclo de cada SIM',
    usage: '{{bytes}} consumidos',
    none: 'Aún sin consumo en este ciclo',
  },
};
