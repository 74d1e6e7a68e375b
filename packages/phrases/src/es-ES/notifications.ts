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
  scheduleRan: {
    subject: '{{schedule}}: {{delivered}} de {{quantity}} entregados',
    preview: '{{failed}} fallidos, {{left_out}} omitidos.',
    title: '{{schedule}} se ejecutó',
    body: 'El SMS programado {{schedule}} se ejecutó a las {{time}}. SIM: {{quantity}}. Entregados: {{delivered}}, fallidos: {{failed}}, desconocidos: {{unknown}}, omitidos: {{left_out}} (de ellos por la cuota: {{unpaid}}).',
    note: 'El informe de la tarea {{task}} nombra cada SIM omitida y el motivo.',
    short:
      'SimCube: {{schedule}} se ejecutó a las {{time}}. Entregados {{delivered}} de {{quantity}}, fallidos {{failed}}, omitidos {{left_out}}.',
  },
  scheduleMissed: {
    subject: '{{schedule}} no se ejecutó',
    preview: '{{reason}}.',
    title: '{{schedule}} no se ejecutó',
    body: 'El SMS programado {{schedule}} debía ejecutarse a las {{time}} y no lo hizo. {{reason}}. Ejecuciones perdidas: {{runs}}.',
    note: 'No se enviará nada más tarde por ella. La siguiente ejecución sigue según lo previsto.',
    short: 'SimCube: {{schedule}} no se ejecutó a las {{time}}. {{reason}}.',
  },
  autoflowFired: {
    subject: '{{rule}} se ha disparado (SIM: {{sims}})',
    preview: '{{iccid}}',
    title: 'La regla {{rule}} se ha disparado',
    body: 'El {{time}} se disparó la regla {{rule}}. SIM: {{sims}}. ICCID: {{iccid}}. {{comparison}}',
    note: 'El historial de ejecuciones de la regla muestra cada SIM y lo que se hizo.',
    short: 'SimCube: {{rule}} se ha disparado. SIM: {{sims}}. ICCID: {{iccid}}. {{comparison}}',
  },
  autoflowFailed: {
    subject: 'Una acción de {{rule}} ha fallado',
    preview: '{{reason}}.',
    title: 'Una acción de la regla {{rule}} ha fallado',
    body: 'La regla {{rule}} se disparó el {{time}}, pero no se pudo realizar una acción. SIM: {{sims}}. {{reason}}.',
    note: 'El historial de ejecuciones de la regla muestra cada SIM. La acción no se realizará más tarde.',
    short: 'SimCube: una acción de {{rule}} ha fallado. SIM: {{sims}}. {{reason}}.',
  },
  smsReceived: {
    subject: 'Mensaje de {{msisdn}}',
    preview: '{{content}}',
    title: '{{msisdn}} ha enviado un mensaje',
    body: 'La SIM {{iccid}} ({{msisdn}}) envió a {{to}} el {{time}}: {{content}}',
    note: 'Los mensajes de sus SIM se reenvían a esta dirección según Ajustes, Servicio de SMS.',
    short: 'SimCube: {{msisdn}} envió: {{content}}',
  },
};
