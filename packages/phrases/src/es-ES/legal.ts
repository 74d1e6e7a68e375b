import type { Phrases } from '../shape.ts';

export const legal: Phrases['legal'] = {
  terms: {
    title: 'Condiciones de uso',
    intro:
      'Estas condiciones rigen entre tú y la organización que gestiona esta instalación de SimCube (el operador).',
    sections: {
      service: {
        title: 'El servicio',
        text: 'SimCube permite a las empresas gestionar tarjetas SIM IoT, paquetes, bolsas de datos compartidas, mensajes, registros de consumo, reglas de automatización y facturas. Lo que puedes ver y hacer depende de tu rol en la organización.',
      },
      account: {
        title: 'Tu cuenta',
        text: 'Tu cuenta es personal. No compartas tu contraseña ni los códigos de verificación y avisa de inmediato a tu administrador si otra persona pudiera conocerlos. Lo que se haga con tu cuenta se considera hecho por ti.',
      },
      use: {
        title: 'Uso aceptable',
        text: 'Utiliza el servicio solo para las SIM y los dispositivos que tu organización tiene derecho a gestionar. No intentes acceder a datos ajenos, perturbar el servicio o las redes móviles, ni enviar mensajes ilícitos o no deseados.',
      },
      usage: {
        title: 'Consumo y cargos',
        text: 'El consumo mostrado es provisional hasta que llegan los registros de red rezagados, normalmente en 48 horas. Los cargos dependen de los paquetes contratados y del contrato entre tu organización y el operador; lo que cuenta es la factura publicada.',
      },
      automation: {
        title: 'Automatización y API',
        text: 'Respondes de las reglas, las claves de API y los webhooks que configures y de las operaciones que inicien. Guarda en secreto las claves privadas y elimina lo que ya no necesites.',
      },
      availability: {
        title: 'Disponibilidad',
        text: 'El operador mantiene el servicio con la diligencia debida, pero no puede garantizar que este o una red móvil estén siempre disponibles. El mantenimiento se anuncia siempre que es posible.',
      },
      liability: {
        title: 'Responsabilidad',
        text: 'Nada de lo aquí dispuesto limita la responsabilidad que la ley no permita limitar. Por lo demás, rige el contrato entre tu organización y el operador.',
      },
      software: {
        title: 'El software',
        text: 'SimCube se distribuye con la licencia Apache 2.0 y se ofrece «tal cual», sin garantías por parte de sus autores.',
      },
      changes: {
        title: 'Cambios',
        text: 'El operador puede modificar estas condiciones por motivos justificados y te pedirá que aceptes los cambios importantes al iniciar sesión. Para cualquier duda, dirígete al administrador de tu organización o al operador.',
      },
    },
  },
  privacy: {
    title: 'Aviso de privacidad',
    intro:
      'Este aviso explica qué datos personales trata esta instalación de SimCube. La responsable es la organización que la gestiona (el operador).',
    sections: {
      data: {
        title: 'Qué se guarda',
        text: 'Tu nombre, correo electrónico, idioma, rol, organizaciones, momentos y número de inicios de sesión; las contraseñas, solo como un hash irreversible. Se conserva un registro de auditoría de los cambios hechos con tu cuenta, con la hora y la dirección IP.',
      },
      devices: {
        title: 'SIM y dispositivos',
        text: 'De las SIM: identificadores (ICCID, IMSI, MSISDN, IMEI), red, ubicación aproximada según la celda, sesiones, consumo y mensajes. Si un dispositivo pertenece a una persona, tu organización decide para qué se usan sus datos e informa a esa persona.',
      },
      purpose: {
        title: 'Para qué',
        text: 'Para prestar el servicio, facturar el consumo, mantener la seguridad y cumplir obligaciones legales. Los datos no se venden ni se usan con fines publicitarios.',
      },
      browser: {
        title: 'En tu navegador',
        text: 'Tu sesión, organización, idioma, horario mostrado, tema y estado del menú se guardan en el almacenamiento del navegador, porque la consola no puede funcionar sin ellos. No hay cookies de seguimiento ni analítica de terceros.',
      },
      sharing: {
        title: 'Quién los ve',
        text: 'Los miembros de tu organización según su rol y el operador. Las redes móviles y las pasarelas de correo o mensajes reciben lo necesario para ejecutar lo que inicies; las direcciones que configures reciben las notificaciones que pidas.',
      },
      retention: {
        title: 'Cuánto tiempo',
        text: 'Mientras exista tu cuenta y, después, el tiempo que exijan la ley o la facturación. Los registros de la API se conservan 30 días. Los registros de red se conservan el tiempo que fije el operador.',
      },
      security: {
        title: 'Seguridad',
        text: 'Las conexiones pueden cifrarse, los secretos se guardan cifrados o como hash, el acceso se comprueba en cada llamada y el inicio de sesión está protegido contra intentos de adivinación.',
      },
      rights: {
        title: 'Tus derechos',
        text: 'Puedes solicitar ver, corregir, exportar o eliminar tus datos personales, u oponerte a su uso. Dirígete al administrador de tu organización o al operador; también puedes reclamar ante tu autoridad de protección de datos.',
      },
    },
  },
};
