import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { createTrustedHeader } from './trusted-header.ts'

const { usernameIn } = createTrustedHeader({
  name: 'remote-user',
  from: ['10.0.0.2', '2001:db8::1'],
  createsUsers: false,
})

const named = (remoteAddress: string | undefined, rawHeaders = ['Remote-User', 'Grace']) =>
  // Only this member of a socket is read.
  usernameIn({ rawHeaders, socket: { remoteAddress } as IncomingMessage['socket'] })

it.each(['10.0.0.2', '::ffff:10.0.0.2', '2001:db8::1', '2001:DB8:0::1'])('counts from %s', (address) => {
  expect(named(address)).toBe('grace')
})

it.each([undefined, '', '10.0.0.3', '::ffff:10.0.0.3', '2001:db8::2', '::10.0.0.2', 'not an address'])(
  'does not count from %s',
  (address) => {
    expect(named(address)).toBeUndefined()
  },
)

it('takes a value for a value, and no name of a header for one', () => {
  expect(named('10.0.0.2', ['X-Other', 'Remote-User', 'grace', 'ada'])).toBeUndefined()
  expect(named('10.0.0.2', ['X-Other', 'remote-user', 'REMOTE-USER', 'grace'])).toBe('grace')
})
