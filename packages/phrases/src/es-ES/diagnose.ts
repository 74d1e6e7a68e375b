import type { Phrases } from '../shape.ts';

export const diagnose: Phrases['diagnose'] = {
  lights: { good: 'Correcto', warning: 'Atención', bad: 'Fallo', unknown: 'Desconocido' },
  overall: {
    good: 'No se han encontrado problemas.',
    unknown: 'No se han encontrado fallos, pero no se ha podido comprobar todo.',
    warning: 'La SIM tiene servicio o podría tenerlo, pero algo requiere atención.',
    bad: 'Un fallo impide que la SIM funcione correctamente.',
  },
  checks: {
    card: 'Tarjeta',
    lifecycle: 'Ciclo de vida',
    order: 'Pedido de plan',
    quota: 'Cuota de datos',
    authorisation: 'Autorización',
    registration: 'Registro en la red',
    session: 'Sesión',
    apn: 'APN',
    ip: 'Dirección IP',
    imei: 'Dispositivo (IMEI)',
    coverage: 'Cobertura',
    rejects: 'Rechazos',
  },
};
