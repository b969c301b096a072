import { describe, expect, it } from 'vitest'
import { readEvents } from '../audit/audit-log.ts'
import { DATABASE_KINDS } from './access.test-database.ts'
import { setUpStage } from './access.test-harness.ts'
import { createLocalChangeBus } from './key-changes.ts'
import { rotateKey } from './keys.ts'

describe.each(DATABASE_KINDS)('the networks that a key is used from (%s)', (kind) => {
  const stage = setUpStage(kind)

  const eventsOf = async (keyId: string) =>
    (await readEvents(stage.context.db, { event: 'key-new-network', limit: 1_000 })).filter(
      ({ key }) => key?.id === keyId,
    )

  /** Uses a key on one node from several addresses, one after the other, and writes what was noticed. */
  async function use(full: string, addresses: string[], verifier = stage.createVerifier(createLocalChangeBus())) {
    for (const address of addresses) expect(await stage.reasonOf(full, verifier, address)).toBe('good')
    await verifier.stop()
  }

  it('the first is no news, another one is, once', async () => {
    const { key, full } = await stage.createKey()
    await use(full, ['192.0.2.1', '192.0.2.1'])
    expect(await eventsOf(key.id)).toEqual([])
    await use(full, ['192.0.2.1', '198.51.100.1', '192.0.2.1', '198.51.100.1'])
    await use(full, ['198.51.100.1', '192.0.2.1'])
    const rotated = await rotateKey(stage.context, { key: key.id })
    await use(rotated.full, ['198.51.100.1'])
    expect(await eventsOf(key.id)).toMatchObject([
      { event: 'key-new-network', outcome: 'ok', network: '198.51.100.1', via: 'API', user: { username: 'lena' } },
    ])
  })

  it('two networks in the same moment: one is the first, the other is news', async () => {
    const { key, full } = await stage.createKey()
    await use(full, ['192.0.2.1', '192.0.2.2'])
    expect((await eventsOf(key.id)).map(({ network }) => network)).toEqual(['192.0.2.2'])
  })

  it('nodes that see the same new network record it once', async () => {
    const { key, full } = await stage.createKey()
    await use(full, ['192.0.2.1'])
    const nodes = Array.from({ length: 3 }, () => stage.createVerifier(createLocalChangeBus()))
    await Promise.all(nodes.map((node) => use(full, ['198.51.100.1', '198.51.100.2'], node)))
    const seen = (await eventsOf(key.id)).map(({ network }) => network)
    expect(seen.toSorted()).toEqual(['198.51.100.1', '198.51.100.2'])
  })

  it('a key that roams causes 19 events in all, however many networks it is used from', async () => {
    const { key, full } = await stage.createKey()
    const addresses = Array.from({ length: 60 }, (_, n) => `203.0.113.${n}`)
    await use(full, addresses.slice(0, 7))
    await use(full, addresses)
    await use(full, addresses.toReversed())
    expect(await eventsOf(key.id)).toHaveLength(19)
  })

  it('no request waits for it', async () => {
    const { key, full } = await stage.createKey()
    const verifier = stage.createVerifier(createLocalChangeBus())
    await stage.reasonOf(full, verifier, '192.0.2.1')
    const before = stage.tap.state.statements.length
    expect(verifier.verifyCached(full, '198.51.100.1')?.ok).toBe(true)
    expect(stage.tap.state.statements).toHaveLength(before)
    await verifier.stop()
    expect(await eventsOf(key.id)).toHaveLength(1)
  })
})
