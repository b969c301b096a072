import type { AnswerTable } from '../answer-table.test-body.ts'

const ENGLISH = 'Your IP address is 203.0.113.7'

export const table: AnswerTable = {
  answers: [
    { q: 'what is my ip', text: ENGLISH, has: { ip: '203.0.113.7', version: 4 } },
    { q: 'my ip', text: ENGLISH },
    { q: "What's my IP address?", text: ENGLISH },
    { q: 'show my public ip', text: ENGLISH },
    { q: 'my ip', lang: 'de', text: 'Ihre IP-Adresse ist 203.0.113.7' },
    { q: 'meine ip', text: 'Ihre IP-Adresse ist 203.0.113.7' },
    { q: 'wie ist meine IP-Adresse?', lang: 'de', text: 'Ihre IP-Adresse ist 203.0.113.7' },
    { q: 'mon ip', text: 'Votre adresse IP est 203.0.113.7' },
    { q: 'quelle est mon adresse IP ?', lang: 'fr', text: 'Votre adresse IP est 203.0.113.7' },
    { q: '¿cuál es mi ip?', text: 'Su dirección IP es 203.0.113.7' },
    { q: 'mi dirección ip pública', lang: 'es', text: 'Su dirección IP es 203.0.113.7' },
    { q: 'qual è il mio indirizzo ip', lang: 'it', text: 'Il suo indirizzo IP è 203.0.113.7' },
    { q: 'qual é o meu ip', lang: 'pt-BR', text: 'O seu endereço IP é 203.0.113.7' },
    { q: 'wat is mijn ip-adres', lang: 'nl', text: 'Uw IP-adres is 203.0.113.7' },
    // Through an IPv6 socket, and in the long form.
    {
      q: 'my ip address',
      client: { ip: '::ffff:198.51.100.4' },
      text: 'Your IP address is 198.51.100.4',
      has: { version: 4 },
    },
    {
      q: 'what is my ipv6',
      client: { ip: '2001:0DB8:0000:0000:0000:0000:0000:0001' },
      text: 'Your IP address is 2001:db8::1',
      has: { version: 6 },
    },
    { q: 'my ip', client: { ip: '192.168.1.20' }, text: 'Your IP address is 192.168.1.20', has: { is_public: false } },
    { q: 'my ip', client: { ip: '8.8.8.8' }, text: 'Your IP address is 8.8.8.8', has: { is_public: true } },
  ],
  silent: [
    'what is an ip address',
    'ip',
    'ip address',
    'ip man 4',
    'my ip got banned minecraft',
    'hide my ip address vpn',
    'how to change my ip address',
    'ip camera outdoor',
    'adresse ip c’est quoi',
    'was ist eine ip adresse',
    'qué es una dirección ip',
    'my ip camera',
    'what is my ip used for',
    'my trip',
    'mi ipad',
    'mon ipad',
    { q: 'meine ip', lang: 'fr' },
    { q: 'my ip', client: { ip: 'unknown' } },
  ],
}
