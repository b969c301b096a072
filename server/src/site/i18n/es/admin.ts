// Administration → Providers and Administration → Instance usage, in Spanish.
import type { AdminWords } from '../en/admin.ts'

export const adminEs: AdminWords = {
  providers: {
    title: 'Proveedores',
    month: (month, calls, money) => `${month} hasta ahora: ${calls}, ${money}.`,
    callCount: (count, written) => (count === 1 ? '1 llamada' : `${written} llamadas`),
    noCosts: 'Lo gastado no se puede leer en este momento.',
    empty: 'No hay ningún proveedor configurado',
    emptyHelp: 'Asigne un proveedor a un puesto con ENGINE_A y reinicie. Muchos no necesitan clave.',
    hidden:
      'Un proveedor al que le falta un ajuste no está en esta lista. La orden «bowerbird config» dice qué le falta a cada uno.',
    serves: 'Para qué sirve',
    calls: 'Llamadas este mes',
    money: 'Gastado este mes',
    of: (used, most) => `${used} de ${most}`,
    idle: 'Sin preguntas este mes.',
    unpaid: (calls) => `${calls} este mes, sin coste.`,
    paid: (calls, money, price) => `${calls} este mes, ${money} a ${price} cada una.`,
    noCap: (setting) => `Sin tope: ${setting} fija uno.`,
    spent: (day) => `El presupuesto está agotado. No se preguntará al proveedor antes del ${day}.`,
    changes: 'Cambios de estado',
    changesHelp: (days) => `De los últimos ${days} días, los más recientes primero.`,
    noChanges: (days) => `Nada ha cambiado en los últimos ${days} días.`,
    more: (count) => (count === 1 ? 'Y uno más antiguo.' : `Y ${count} más antiguos.`),
    when: 'Cuándo',
    provider: 'Proveedor',
    state: 'Estado',
    reason: 'Por qué',
    ok: 'Respondió.',
  },
  usage: {
    title: 'Uso de la instancia',
    intro: 'Lo que los programas han pedido a esta instancia, con todas las claves de todos los usuarios.',
    unreadable: 'El uso no se puede leer en este momento',
    unreadableHelp:
      'La base de datos no responde o está demasiado ocupada. No se pierde nada: inténtelo de nuevo en un minuto.',
    empty: 'Ningún programa ha pedido nada todavía',
    emptyHelp: 'Aquí se cuentan las peticiones con claves de API. Los usuarios crean claves en sus ajustes.',
  },
}
