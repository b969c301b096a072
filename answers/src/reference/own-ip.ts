// The client's own IP address: `what is my ip`, `meine ip`, and a bare `ip address`, which is what people type for it.
// The address comes from the connection and the trusted proxies, never from a header that the client could forge.
// `what is an ip address`, `hide my ip address` and `my ip got banned` are ordinary searches and stay unanswered: the
// whole query must be the question.
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import type { Language } from '../question.ts'

const IP = 'ip(?:v[46])?'
const askPattern = (verbs: string, rest: string): RegExp => new RegExp(`^(?:(?:${verbs}) )?${rest}$`)

const TRIGGERS: Triggers = {
  en: [
    askPattern(
      "what is|what's|whats|show|show me|find|tell me|check|get",
      `my (?:public |external |current |own )?${IP}(?: ?address)?`,
    ),
    /^ip(?: address)?$/,
  ],
  fr: [
    /^adresse ip$/,
    askPattern("quelle est|c'est quoi|quel est|voir|connaitre|afficher", `mon (?:adresse )?${IP}(?: publique)?`),
  ],
  de: [
    /^ip[- ]?adresse$/,
    askPattern(
      'was ist|wie ist|wie lautet|zeige?|zeig mir',
      `meine (?:offentliche |eigene |aktuelle )?${IP}(?:[- ]?adresse)?`,
    ),
  ],
  es: [/^direccion ip$/, askPattern('cual es|ver|saber|mostrar|dime', `mi (?:direccion )?${IP}(?: publica)?`)],
  it: [
    /^indirizzo ip$/,
    askPattern("qual e|qual'e|vedi|mostra|mostrami|trova", `(?:il )?mio (?:indirizzo )?${IP}(?: pubblico)?`),
  ],
  pt: [
    /^endereco ip$/,
    askPattern('qual e|qual o|ver|saber|mostrar|descobrir', `(?:o )?meu (?:endereco )?${IP}(?: publico)?`),
  ],
  nl: [
    /^ip[- ]?adres$/,
    askPattern('wat is|toon|laat zien', `mijn (?:openbare |publieke |eigen )?${IP}(?:[- ]?adres)?`),
  ],
}

const TEXTS: Readonly<Record<Language, (ip: string) => string>> = {
  en: (ip) => `Your IP address is ${ip}`,
  fr: (ip) => `Votre adresse IP est ${ip}`,
  de: (ip) => `Ihre IP-Adresse ist ${ip}`,
  es: (ip) => `Su dirección IP es ${ip}`,
  it: (ip) => `Il suo indirizzo IP è ${ip}`,
  pt: (ip) => `O seu endereço IP é ${ip}`,
  nl: (ip) => `Uw IP-adres is ${ip}`,
}

export const ownIp = defineAnswer({
  slug: 'own_ip',
  title: 'Your IP address',
  summary: 'The IP address that the query came from, as this instance sees it.',
  examples: [{ q: 'what is my ip' }, { q: 'meine ip adresse', lang: 'de' }, { q: 'mon adresse ip', lang: 'fr' }],
  isPersonal: true,
  reply: z.object({
    ip: z.string(),
    version: z.int().describe('The IP version: 4 or 6.'),
    is_public: z.boolean().describe('False for private, loopback and similar addresses.'),
  }),
  match(question) {
    return question.folded.includes('ip') ? readTriggers(question, TRIGGERS, () => ({})) : null
  },
  answer({ language }, { client }) {
    if (!ipaddr.isValid(client.ip)) return null
    // Show an IPv4 address received on an IPv6 socket as IPv4.
    const address = ipaddr.process(client.ip)
    const ip = address.toString()
    return {
      text: TEXTS[language](ip),
      ip,
      version: address.kind() === 'ipv4' ? 4 : 6,
      is_public: address.range() === 'unicast',
    }
  },
})
