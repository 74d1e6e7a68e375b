import type { Phrases } from '../shape.ts';

export const task: Phrases['task'] = {
  title: 'Centro de tareas',
  facts: 'Su trabajo en segundo plano de los últimos {{days}} días en esta organización',
  header: 'Tareas',
  headerLabel: 'Tareas: {{count}} en curso',
  emptyTitle: 'No hay tareas en los últimos {{days}} días',
  emptyHint: 'Las importaciones que se inicien para usted aparecen aquí con su progreso.',
  fields: {
    reference: 'Referencia',
    type: 'Tipo',
    quantity: 'Cantidad',
    status: 'Estado',
    started: 'Inicio',
    elapsed: 'Duración',
    result: 'Resultado',
    remark: 'Observación',
  },
  types: { 'sim-import': 'Importación de SIM', 'cdr-import': 'Importación de registros de uso' },
  statuses: { processing: 'En curso', done: 'Terminada', issues: 'Con incidencias' },
  progress: '{{done}} de {{quantity}}',
  result: '{{accepted}} aceptadas, {{duplicate}} ya conocidas, {{refused}} rechazadas',
  brokeOff: 'Se interrumpió antes de terminar',
  ended: {
    done: '{{type}} {{reference}}: terminada.',
    issues: '{{type}} {{reference}}: terminada con incidencias.',
  },
};
