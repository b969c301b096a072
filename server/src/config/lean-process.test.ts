import { describe, expect, it } from 'vitest'
import { leanStart } from './lean-process.ts'

const ARGV = ['/usr/bin/node', '/app/bowerbird.ts', 'serve']
const start = (execArgv: string[], env: NodeJS.ProcessEnv = {}) => leanStart({ execArgv, argv: ARGV, env }, '/cache')

describe('a lean process', () => {
  it('is started with the same program, arguments and settings, and less memory for new objects', () => {
    const { args, env } = start(['--import', './tracing.mjs'], { PORT: '80' }) ?? {}
    expect(args?.[0]).toBe('/usr/bin/node')
    expect(args?.some((flag) => flag.startsWith('--max-semi-space-size='))).toBe(true)
    expect(args?.slice(-4)).toEqual(['--import', './tracing.mjs', '/app/bowerbird.ts', 'serve'])
    expect(env).toEqual({ PORT: '80', NODE_COMPILE_CACHE: '/cache' })
  })

  it('is not started again', () => {
    const [, ...flags] = start([])?.args ?? []
    expect(start(flags.slice(0, -2))).toBeUndefined()
  })

  it.each(['--max-semi-space-size=32', '--max_semi_space_size=32'])('leaves %s to the operator', (flag) => {
    expect(start([flag])).toBeUndefined()
    expect(start([], { NODE_OPTIONS: `--no-warnings ${flag}` })).toBeUndefined()
  })

  it('keeps a compile cache of the operator, and does without one', () => {
    expect(start([], { NODE_COMPILE_CACHE: '/other' })?.env).toEqual({ NODE_COMPILE_CACHE: '/other' })
    expect(leanStart({ execArgv: [], argv: ARGV, env: {} }, undefined)?.env).toEqual({})
  })
})
