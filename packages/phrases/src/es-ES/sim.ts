import type { Phrases } from '../shape.ts';

export const sim: Phrases['sim'] = {
  title: 'SIM',
  lifecycle: {
    'pre-activated': 'Preactivada',
    active: 'Activa',
    paused: 'Pausada',
    expired: 'Caducada',
    terminated: 'Dada de baja',
  },
  connection: { online: 'en línea', connected: 'conectada', offline: 'sin conexión', unknown: 'desconocida' },
};
