import { expect, it } from 'vitest'
import { relyingPartyOf } from './passkeys.ts'

it.each([
  ['https://search.example.org', 'search.example.org', 'https://search.example.org'],
  ['https://search.example.org:8443', 'search.example.org', 'https://search.example.org:8443'],
  ['https://search.example.org:443', 'search.example.org', 'https://search.example.org'],
  ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  ['http://demo.localhost', 'demo.localhost', 'http://demo.localhost'],
])('passkeys of %s belong to %s', (address, id, origin) => {
  expect(relyingPartyOf(address)).toEqual({ id, origin })
})

it.each(['http://search.example.org', 'http://127.0.0.1:8080', 'https://192.0.2.7', 'https://[2001:db8::1]', ''])(
  'there are none at %j',
  (address) => {
    expect(relyingPartyOf(address)).toBeUndefined()
  },
)
