import { describe, expect, it } from 'vitest'
import { leanStart } from './lean-process.ts'

const ARGV = ['/usr/bin/node', '/app/bowerbird.ts', 'serve']
const start = (execArgv: string[], env: NodeJS.ProcessEnv = {}) => leanStart({ execArgv, argv: ARGV, env }, '/cache')

describe('a lean process', () => {
  it('is started with the same program, arguments and settings, and can be told to collect', () => {
    const { args, env } = start(['--import', './tracing.mjs'], { PORT: '80' }) ?? {}
    expect(args?.slice(0, 2)).toEqual(['/usr/bin/node', '--expose-gc'])
    expect(args?.slice(-4)).toEqual(['--import', './tracing.mjs', '/app/bowerbird.ts', 'serve'])
    expect(env).toEqual({ PORT: '80', NODE_COMPILE_CACHE: '/cache' })
  })

  it('is not started again', () => {
    const [, ...flags] = start([])?.args ?? []
    expect(start(flags.slice(0, -2))).toBeUndefined()
  })

  it.each(['--expose-gc', '--expose_gc'])('leaves a process with %s as it is', (flag) => {
    expect(start([flag])).toBeUndefined()
    expect(start([], { NODE_OPTIONS: `--no-warnings ${flag}` })).toBeUndefined()
  })

  it('keeps a compile cache of the operator, and does without one', () => {
    expect(start([], { NODE_COMPILE_CACHE: '/other' })?.env).toEqual({ NODE_COMPILE_CACHE: '/other' })
    expect(leanStart({ execArgv: [], argv: ARGV, env: {} }, undefined)?.env).toEqual({})
  })
})
