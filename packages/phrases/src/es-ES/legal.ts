import type { Phrases } from '../shape.ts';

export const legal: Phrases['legal'] = {
  terms: {
    title: 'Condiciones de uso',
    intro:
      'Estas condiciones rigen entre usted y la organización que gestiona esta instalación de SimCube (el operador).',
    sections: {
      service: {
        title: 'El servicio',
        text: 'SimCube permite a las empresas gestionar tarjetas SIM IoT, planes, bolsas de datos compartidas, mensajes, registros de consumo, reglas de automatización y facturas. Lo que puede ver y hacer depende de su rol en la organización.',
      },
      account: {
        title: 'Su cuenta',
        text: 'Su cuenta es personal. No comparta su contraseña ni los códigos de verificación y avise de inmediato a su administrador si otra persona pudiera conocerlos. Lo que se haga con su cuenta se considera hecho por usted.',
      },
      use: {
        title: 'Uso aceptable',
        text: 'Utilice el servicio solo para las SIM y los dispositivos que su organización tiene derecho a gestionar. No intente acceder a datos ajenos, perturbar el servicio o las redes móviles, ni enviar mensajes ilícitos o no deseados.',
      },
      usage: {
        title: 'Consumo y cargos',
        text: 'El consumo mostrado es provisional hasta que llegan los registros de red rezagados, normalmente en 48 horas. Los cargos dependen de los planes contratados y del contrato entre su organización y el operador; lo que cuenta es la factura publicada.',
      },
      automation: {
        title: 'Automatización y API',
        text: 'Usted responde de las reglas, las claves de API y los webhooks que configure y de las operaciones que inicien. Guarde en secreto las claves privadas y elimine lo que ya no necesite.',
      },
      availability: {
        title: 'Disponibilidad',
        text: 'El operador mantiene el servicio con la diligencia debida, pero no puede garantizar que este o una red móvil estén siempre disponibles. El mantenimiento se anuncia siempre que es posible.',
      },
      liability: {
        title: 'Responsabilidad',
        text: 'Nada de lo aquí dispuesto limita la responsabilidad que la ley no permita limitar. Por lo demás, rige el contrato entre su organización y el operador.',
      },
      software: {
        title: 'El software',
        text: 'SimCube se distribuye con la licencia Apache 2.0 y se ofrece «tal cual», sin garantías por parte de sus autores.',
      },
      changes: {
        title: 'Cambios',
        text: 'El operador puede modificar estas condiciones por motivos justificados y le pedirá que acepte los cambios importantes al iniciar sesión. Para cualquier duda, diríjase al administrador de su organización o al operador.',
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
        text: 'Su nombre, correo electrónico, idioma, rol, organizaciones, momentos y número de inicios de sesión; las contraseñas, solo como un hash irreversible. Se conserva un registro de auditoría de los cambios hechos con su cuenta, con la hora y la dirección IP.',
      },
      devices: {
        title: 'SIM y dispositivos',
        text: 'De las SIM: identificadores (ICCID, IMSI, MSISDN, IMEI), red, ubicación aproximada según la celda, sesiones, consumo y mensajes. Si un dispositivo pertenece a una persona, su organización decide para qué se usan sus datos e informa a esa persona.',
      },
      purpose: {
        title: 'Para qué',
        text: 'Para prestar el servicio, facturar el consumo, mantener la seguridad y cumplir obligaciones legales. Los datos no se venden ni se usan con fines publicitarios.',
      },
      browser: {
        title: 'En su navegador',
        text: 'Su sesión, organización, idioma, horario mostrado, tema y estado del menú se guardan en el almacenamiento del navegador, porque la consola no puede funcionar sin ellos. No hay cookies de seguimiento ni analítica de terceros.',
      },
      sharing: {
        title: 'Quién los ve',
        text: 'Los miembros de su organización según su rol y el operador. Las redes móviles y las pasarelas de correo o mensajes reciben lo necesario para ejecutar lo que usted inicie; las direcciones que configure reciben las notificaciones que solicite.',
      },
      retention: {
        title: 'Cuánto tiempo',
        text: 'Mientras exista su cuenta y, después, el tiempo que exijan la ley o la facturación. Los registros de la API se conservan 30 días. Los registros de red se conservan el tiempo que fije el operador.',
      },
      security: {
        title: 'Seguridad',
        text: 'Las conexiones pueden cifrarse, los secretos se guardan cifrados o como hash, el acceso se comprueba en cada llamada y el inicio de sesión está protegido contra intentos de adivinación.',
      },
      rights: {
        title: 'Sus derechos',
        text: 'Puede solicitar ver, corregir, exportar o eliminar sus datos personales, u oponerse a su tratamiento. Diríjase al administrador de su organización o al operador; también puede reclamar ante su autoridad de protección de datos.',
      },
    },
  },
};
