// A Redis with a replica, behind one address that follows a failover.
import { type PrivateRedis, startPrivateRedis } from './private-redis.ts'
import { startTcpForwarder } from './tcp-forwarder.ts'

export interface RedisPair {
  url: string
  freeze: () => void
  thaw: () => void
  /** Kills the master; it restarts empty after this time. */
  restart: (awayMs: number) => Promise<void>
  /** Kills the master and promotes the replica. The old master becomes the new replica. */
  failOver: () => Promise<void>
  close: () => Promise<void>
}

export async function startRedisPair(): Promise<RedisPair> {
  await using starting = new AsyncDisposableStack()
  const start = async (): Promise<PrivateRedis> => {
    const redis = await startPrivateRedis()
    starting.defer(() => redis.remove())
    return redis
  }
  let [master, replica] = [await start(), await start()]
  await replica.replicate(master)
  const forwarder = await startTcpForwarder(master.port)
  starting.defer(() => forwarder.close())
  const parts = starting.move()
  return {
    url: `redis://127.0.0.1:${forwarder.port}`,
    freeze: () => master.freeze(),
    thaw: () => master.thaw(),
    async restart(awayMs) {
      await master.stop()
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      await master.start()
    },
    async failOver() {
      await master.stop()
      await replica.replicate(undefined)
      forwarder.leadTo(replica.port)
      ;[master, replica] = [replica, master]
      await replica.start()
      await replica.replicate(master)
    },
    close: () => parts.disposeAsync(),
  }
}
