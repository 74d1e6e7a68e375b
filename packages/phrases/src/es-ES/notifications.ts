import type { Phrases } from '../shape.ts';

export const notifications: Phrases['notifications'] = {
  test: {
    subject: 'Notificación de prueba de SimCube',
    preview: 'Las notificaciones llegan a esta dirección.',
    title: 'Esto es una prueba',
    body: 'Alguien está probando el destino de notificación {{target}}. Las notificaciones llegan a esta dirección.',
    note: 'No tiene que hacer nada.',
    short: 'SimCube: prueba del destino de notificación {{target}}.',
  },
  targetFailing: {
    subject: 'Las notificaciones no llegan a {{target}}',
    preview: '{{reason}}.',
    title: 'El destino API {{target}} falla',
    body: 'Las solicitudes a {{address}} han fallado varias veces seguidas. {{reason}}. SimCube sigue intentándolo, con pausas cada vez mayores.',
    note: 'Si nada se entrega durante 24 horas, el destino se detendrá. Sus últimas entregas están en Ajustes, Destinos de notificación.',
    short: 'SimCube: las notificaciones no llegan a {{target}} ({{address}}). {{reason}}.',
  },
  targetPaused: {
    subject: 'El destino API {{target}} se ha detenido',
    preview: '{{reason}}.',
    title: 'El destino API {{target}} se ha detenido',
    body: 'SimCube ya no envía notificaciones a {{address}}. {{reason}}.',
    note: 'Cuando vuelva a funcionar, reanúdelo en Ajustes, Destinos de notificación. Lo que no se haya entregado hasta entonces no se enviará después.',
    short: 'SimCube: el destino API {{target}} ({{address}}) se ha detenido. {{reason}}.',
  },
};
