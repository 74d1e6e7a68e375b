import type { Phrases } from '../shape.ts';

export const sms: Phrases['sms'] = {
  directions: {
    mt: 'A la SIM',
    mo: 'De la SIM',
  },
  statuses: {
    processing: 'En curso',
    sent: 'Enviado',
    delivered: 'Entregado',
    failed: 'Fallido',
    unknown: 'Desconocido',
  },
  reasons: {
    refused: 'la red lo rehusó',
    'address-invalid': 'la red no conoce el número',
    'not-sent-in-time': 'no se pudo enviar a tiempo',
    expired: 'no se alcanzó el dispositivo a tiempo',
    deleted: 'la red lo eliminó',
    undeliverable: 'no se pudo entregar',
    rejected: 'la red lo rechazó',
    'no-answer': 'la red no respondió',
    'no-receipt': 'no llegó ningún acuse a tiempo',
  },
};
