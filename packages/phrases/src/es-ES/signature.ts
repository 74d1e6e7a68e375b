import type { Phrases } from '../shape.ts';

export const signature: Phrases['errors']['signature'] = {
  sessionOnly: 'Esta llamada no admite claves de API. Inicie sesión.',
  tokenToo: 'Envíe un token Bearer o una firma, pero no ambos.',
  malformed:
    'No se ha podido leer la firma: Signature-Input y Signature deben tener una sola firma con la misma etiqueta.',
  algorithm: 'El algoritmo de la firma debe ser rsa-v1_5-sha256.',
  parameter: 'El parámetro «{{name}}» de la firma falta o no es válido.',
  component: 'La firma no cubre «{{name}}», o la solicitud no lo tiene.',
  created: 'La firma se creó hace demasiado tiempo o en el futuro, o ha caducado. Compruebe el reloj.',
  keyUnknown: 'Esta clave de API no existe. Es posible que se haya eliminado.',
  keyExpired: 'Esta clave de API ha caducado.',
  wrong: 'La firma no coincide con la solicitud. Su «@target-uri» es {{uri}}.',
  nonce: 'Este nonce ya se ha utilizado.',
  digest: 'Content-Digest no coincide con el cuerpo.',
  account: 'La cuenta de esta clave de API está desactivada o ya no puede usar claves de API.',
};
