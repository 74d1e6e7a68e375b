import type { Phrases } from '../shape.ts';

export const diagnoseReport: Phrases['diagnoseReport'] = {
  title: 'Diagnóstico de la SIM',
  madeAt: 'A fecha de {{at}}',
  organisation: 'Organización',
  device: 'Dispositivo',
  noName: 'sin nombre',
  notKnown: 'desconocido',
  advised: 'Qué hacer: {{advice}}',
  note: 'Según los datos de la plataforma en el momento indicado; no se ha consultado al dispositivo. Todas las horas son UTC.',
  place: {
    operator: 'la red de {{operator}}',
    number: 'la red {{plmn}}',
    inCountry: '{{network}} ({{country}})',
    inCell: '{{network}}, última celda {{cell}}',
    inCellNear: '{{network}}, última celda {{cell}}, cerca de {{town}}',
    unknown: 'una red desconocida',
  },
  reasons: {
    'identity-missing': 'la solicitud no identificaba la SIM',
    'unknown-sim': 'la SIM es desconocida',
    'not-activated': 'la SIM no está activada',
    paused: 'la SIM está suspendida',
    expired: 'la SIM ha caducado',
    terminated: 'la SIM está dada de baja',
    'quota-used': 'la cuota de datos está agotada',
    'pool-used-up': 'la bolsa compartida está agotada',
    'data-off': 'los datos de esta SIM se desactivaron',
    'apn-not-allowed': 'el APN no está permitido para esta SIM',
    'outside-coverage': 'el plan no cubre el país',
    other: 'por otro motivo',
  },
  reasonTimes: '{{reason}} ({{times}})',
  endings: {
    device: 'la terminó el dispositivo',
    signal: 'se perdió la señal de radio',
    idle: 'inactividad',
    limit: 'se alcanzó la duración máxima de la sesión',
    console: 'se terminó desde la consola o por una regla del plan',
    gateway: 'la pasarela no pudo mantenerla',
    credentials: 'el dispositivo envió un usuario o una contraseña incorrectos',
    superseded: 'su dirección se asignó a otra SIM, por lo que no se informó de su fin',
    silence: 'sin informes de la pasarela durante un día',
    other: 'la pasarela no dio ningún motivo conocido',
  },
  findings: {
    'card-known': 'La tarjeta está en el inventario.',
    'card-not-shipped': 'El envío de la tarjeta está previsto para el {{shipment_on}}.',
    'card-not-activatable': 'La tarjeta es de tipo {{technology}}, que no se puede activar desde la consola.',
    active: 'La SIM está activa desde el {{since_at}}.',
    testing: 'La SIM está preactivada y tiene servicio con un plan de prueba.',
    'activates-itself':
      'La SIM está preactivada y aún no tiene servicio. Se activará automáticamente el {{starts_at}}.',
    'not-activated': 'La SIM está preactivada y no tendrá servicio hasta que se active.',
    paused: 'La SIM está suspendida desde el {{since_at}} y no tiene servicio.',
    expired: 'La SIM caducó el {{since_at}} y no tiene servicio. Se dará de baja el {{terminates_at}}.',
    terminated: 'La SIM se dio de baja el {{since_at}}. Es definitivo.',
    'order-in-use': 'El plan {{bundle}} está en uso hasta el {{until_at}}.',
    'order-endless': 'El plan {{bundle}} está en uso y no caduca.',
    'order-ending': 'El plan {{bundle}} termina el {{until_at}} y no hay otro pendiente.',
    'order-over': 'El plan {{bundle}} terminó el {{until_at}}; la SIM cambiará en unos minutos.',
    'order-pending': 'No hay ningún plan en uso. Planes pendientes: {{pending}}.',
    'order-none': 'La SIM no tiene ningún plan, ni en uso ni pendiente.',
    'order-terminated': 'La SIM está dada de baja: no tiene ningún plan ni puede recibirlo.',
    'quota-none': 'Sin un plan en uso no hay cuota.',
    'quota-unlimited': '{{used_bytes}} consumidos en este ciclo, sin límite.',
    'quota-left': '{{used_bytes}} de {{limit_bytes}} consumidos en este ciclo.',
    'quota-turned':
      'El ciclo terminó el {{turned_at}}. El próximo consumo inicia otro ciclo con la cuota completa.',
    'quota-nearly': '{{used_bytes}} de {{limit_bytes}} consumidos en este ciclo: la cuota está casi agotada.',
    'quota-billed':
      '{{used_bytes}} consumidos de una cuota de {{limit_bytes}}. Los datos siguen disponibles y se facturan.',
    'quota-slowed':
      '{{used_bytes}} consumidos de una cuota de {{limit_bytes}}. La velocidad está reducida a {{kbps}} kbps.',
    'quota-stopped': '{{used_bytes}} consumidos de una cuota de {{limit_bytes}}. Los datos están detenidos.',
    'quota-stopped-until':
      '{{used_bytes}} consumidos de una cuota de {{limit_bytes}}. Los datos están detenidos hasta el fin del ciclo, el {{turns_at}}.',
    'let-in': 'Si el dispositivo se conectara ahora, se le admitiría.',
    'let-in-slowed': 'Si el dispositivo se conectara ahora, se le admitiría, con {{kbps}} kbps como máximo.',
    'refused-identity-missing':
      'Si el dispositivo se conectara ahora, se le rechazaría: la pasarela no identifica la SIM.',
    'refused-unknown-sim': 'Si el dispositivo se conectara ahora, se le rechazaría: la SIM es desconocida.',
    'refused-not-activated':
      'Si el dispositivo se conectara ahora, se le rechazaría: la SIM no está activada.',
    'refused-paused': 'Si el dispositivo se conectara ahora, se le rechazaría: la SIM está suspendida.',
    'refused-expired': 'Si el dispositivo se conectara ahora, se le rechazaría: la SIM ha caducado.',
    'refused-terminated': 'Si el dispositivo se conectara ahora, se le rechazaría: la SIM está dada de baja.',
    'refused-quota-used':
      'Si el dispositivo se conectara ahora, se le rechazaría: la cuota de datos está agotada.',
    'refused-pool-used-up':
      'Si el dispositivo se conectara ahora, sería rechazado: la bolsa compartida está agotada y la SIM ha consumido más que su propia parte.',
    'refused-data-off':
      'Si el dispositivo se conectara ahora, sería rechazado: los datos de esta SIM se desactivaron.',
    'refused-apn-not-allowed':
      'Si el dispositivo se conectara ahora como la última vez, se le rechazaría: el APN no está permitido para esta SIM.',
    'refused-outside-coverage':
      'Si el dispositivo se conectara ahora desde donde estuvo por última vez, se le rechazaría: el país no está cubierto.',
    seen: 'Vista por última vez el {{seen_at}} en {{place}}.',
    'seen-before': 'Vista por última vez el {{seen_at}} en {{place}}: no en las últimas 24 horas.',
    'never-seen': 'La red nunca ha admitido esta SIM.',
    silent: 'Vista por última vez el {{seen_at}} en {{place}}: no en los últimos 30 días.',
    'session-open':
      'En línea desde el {{started_at}}, último informe el {{updated_at}}, {{total_bytes}} hasta ahora.',
    'session-ended': 'Sin conexión. La última sesión terminó el {{stopped_at}}: {{ending}}.',
    'session-quiet':
      'Hay una sesión abierta desde el {{started_at}}, pero la pasarela no ha informado de ella desde el {{updated_at}}.',
    'session-not-ended':
      'La SIM sigue conectada aunque no debe estarlo: la red no ha terminado la sesión iniciada el {{started_at}}.',
    'session-rate-unchanged':
      'La sesión iniciada el {{started_at}} no tiene la velocidad que le corresponde: la red no la ha cambiado.',
    'session-broken': 'Sin conexión. La última sesión se interrumpió el {{stopped_at}}: {{ending}}.',
    'session-old':
      'Sin conexión en las últimas 24 horas. La última sesión terminó el {{stopped_at}}: {{ending}}.',
    'session-none': 'RADIUS todavía no ha notificado ninguna sesión.',
    'apn-any': 'La SIM puede usar cualquier APN; ninguna sesión ha indicado cuál usa el dispositivo.',
    'apn-any-used': 'La SIM puede usar cualquier APN; el dispositivo usa {{apn}}.',
    'apn-right': 'El dispositivo usa el APN correcto, {{apn}}.',
    'apn-unseen':
      'La SIM solo puede usar el APN {{allowed}}; ninguna sesión ha indicado cuál usa el dispositivo.',
    'apn-refused':
      'El dispositivo solicita un APN distinto de {{allowed}}. Rechazos por ello en las últimas 24 horas: {{times}}.',
    'apn-wrong': 'El dispositivo usa el APN {{apn}}, pero la SIM solo puede usar {{allowed}}.',
    'ip-fixed': 'El dispositivo tiene su dirección fija {{ip}}.',
    'ip-private': 'La dirección {{ip}} es privada: solo es accesible desde su propia red o VPN.',
    'ip-shared':
      'La dirección {{ip}} la comparte el operador (CGNAT): el dispositivo no es accesible desde fuera.',
    'ip-public': 'La dirección {{ip}} es pública.',
    'ip-none': 'Ninguna sesión ha indicado todavía una dirección.',
    'ip-fixed-waiting': 'La dirección fija {{fixed}} se asignará en la próxima conexión.',
    'ip-other': 'El dispositivo tiene la dirección {{ip}} en lugar de la fija, {{fixed}}.',
    'imei-steady': 'La SIM está en el dispositivo {{imei}}; no se ha cambiado en los últimos 30 días.',
    'imei-unknown': 'Ninguna sesión ha indicado todavía en qué dispositivo está la SIM.',
    'imei-changed': 'La SIM pasó al dispositivo {{imei}} el {{changed_at}}; antes estaba en: {{former}}.',
    'coverage-everywhere': 'El plan es válido en todas partes.',
    'coverage-inside': 'El plan cubre {{country}}, donde la SIM estuvo por última vez.',
    'coverage-ignored':
      'El plan no incluye {{country}}, donde la SIM estuvo por última vez, pero no está limitado por la cobertura.',
    'coverage-unknown':
      'Se desconoce en qué país está la SIM, por lo que no se puede comprobar su cobertura.',
    'coverage-no-bundle': 'Sin un plan en uso no hay cobertura que comprobar.',
    'coverage-billed':
      'El plan no cubre {{country}}, donde la SIM estuvo por última vez. Allí los datos se facturan.',
    'coverage-refused':
      'El plan no cubre {{country}}, donde la SIM estuvo por última vez. Allí no hay servicio.',
    'rejects-none': 'Ninguna solicitud se ha rechazado en las últimas 24 horas.',
    'rejects-over':
      'Solicitudes rechazadas en las últimas 24 horas: {{times}}, la última el {{last_at}}. Motivos: {{reasons}}. Está resuelto: la SIM se ha admitido después o se admitiría ahora.',
    'rejects-lasting':
      'Solicitudes rechazadas en las últimas 24 horas: {{times}}, la última el {{last_at}}. Motivos: {{reasons}}. Sigue ocurriendo.',
  },
  advice: {
    'card-not-shipped': 'Compruebe que la tarjeta del dispositivo es la de este ICCID.',
    'card-not-activatable': 'Pida a su proveedor que active la tarjeta.',
    'activates-itself': 'Espere hasta entonces o active la SIM ahora.',
    'not-activated': 'Active la SIM. Necesita un plan pendiente.',
    paused: 'Reanude la SIM si debe volver a funcionar.',
    expired: 'Pida un plan antes de que la SIM se dé de baja: así se renueva.',
    terminated: 'Ponga otra SIM en el dispositivo.',
    'order-ending': 'Pida el siguiente plan a tiempo; si no, la SIM caducará.',
    'order-over': 'Vuelva a comprobarlo dentro de unos minutos.',
    'order-pending': 'Active la SIM: así empieza el plan pendiente más antiguo.',
    'order-none': 'Pida un plan para esta SIM.',
    'order-terminated': 'Ponga otra SIM en el dispositivo.',
    'quota-none': 'Véase la comprobación del pedido de plan.',
    'quota-nearly': 'Añada datos a tiempo si el dispositivo necesita más en este ciclo.',
    'quota-billed': 'Añada datos o averigüe por qué el dispositivo consume tanto.',
    'quota-slowed': 'Añada datos o espere al próximo ciclo. Averigüe por qué el dispositivo consume tanto.',
    'quota-stopped': 'Añada datos. Averigüe por qué el dispositivo consume tanto.',
    'quota-stopped-until':
      'Añada datos o espere al próximo ciclo. Averigüe por qué el dispositivo consume tanto.',
    'let-in-slowed': 'Véase la comprobación de la cuota de datos.',
    'refused-identity-missing': 'Pida a su proveedor que revise la configuración de la pasarela.',
    'refused-unknown-sim': 'Pida a su proveedor que revise el inventario.',
    'refused-not-activated': 'Active la SIM.',
    'refused-paused': 'Reanude la SIM.',
    'refused-expired': 'Renueve la SIM pidiendo un plan.',
    'refused-terminated': 'Ponga otra SIM en el dispositivo.',
    'refused-quota-used': 'Añada datos o espere al próximo ciclo.',
    'refused-pool-used-up':
      'Pida al proveedor que aumente el límite de la bolsa o espere a su próximo ciclo.',
    'refused-data-off': 'Reanude la SIM en sus operaciones o espere a su próximo ciclo.',
    'refused-apn-not-allowed': 'Configure el APN correcto en el dispositivo; véase la comprobación del APN.',
    'refused-outside-coverage': 'Lleve el dispositivo a un país cubierto o pida un plan que cubra este.',
    'seen-before': 'Compruebe que el dispositivo tiene alimentación y cobertura, y reinícielo.',
    'never-seen':
      'Compruebe que la tarjeta está bien insertada, que el dispositivo está encendido y tiene cobertura, y que su APN es correcto.',
    silent: 'Alguien debe revisar el dispositivo: la alimentación, la antena y si la tarjeta sigue en él.',
    'session-quiet':
      'Si el dispositivo no responde, restablezca la SIM: así termina la sesión y el dispositivo se conecta de nuevo.',
    'session-not-ended':
      'La plataforma repite la desconexión cada minuto. Si la SIM sigue conectada, pida a su proveedor que termine la sesión en la pasarela.',
    'session-rate-unchanged':
      'La plataforma repite el cambio cada minuto. Si no tiene efecto, pida a su proveedor que revise la pasarela.',
    'session-broken':
      'Compruebe la cobertura y la antena donde está el dispositivo. Si no se recupera, reinícielo.',
    'session-old': 'Compruebe que el dispositivo tiene alimentación y cobertura, y reinícielo.',
    'session-none':
      'Compruebe que el dispositivo está encendido y que tiene activados los datos móviles y el APN correcto.',
    'apn-unseen': 'Configure este APN en el dispositivo.',
    'apn-refused': 'Configure el APN {{allowed}} en el dispositivo.',
    'apn-wrong': 'Configure el APN {{allowed}} en el dispositivo y reinícielo.',
    'ip-none': 'Véanse las comprobaciones del registro y de la sesión.',
    'ip-fixed-waiting': 'Véanse las comprobaciones del registro y de la sesión.',
    'ip-other':
      'Restablezca la SIM para que el dispositivo se conecte de nuevo. Si el problema persiste, consulte a su proveedor.',
    'imei-unknown': 'Véanse las comprobaciones del registro y de la sesión.',
    'imei-changed':
      'Si nadie ha cambiado el dispositivo, es posible que hayan robado la tarjeta: suspenda la SIM.',
    'coverage-unknown': 'Véase la comprobación del registro.',
    'coverage-no-bundle': 'Véase la comprobación del pedido de plan.',
    'coverage-billed': 'Pida un plan que cubra este país si el dispositivo va a quedarse allí.',
    'coverage-refused': 'Pida un plan que cubra este país si el dispositivo va a quedarse allí.',
    'rejects-over':
      'Si el dispositivo no está en línea, reinícielo: muchos esperan bastante antes de volver a intentarlo.',
    'rejects-lasting':
      'Véase la comprobación de la autorización. Cuando se haya corregido la causa, reinicie el dispositivo.',
  },
};
