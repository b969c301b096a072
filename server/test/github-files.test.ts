// Rules for files that only GitHub and editors read, and nothing else here runs. `npm run check` validates the
// workflows themselves.
import { globSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { workflowProblems } from '../../tools/check-workflows.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')
const readYaml = (path: string): unknown => parse(read(path), { strict: true, uniqueKeys: true })
const readJson = (path: string): unknown => JSON.parse(read(path))

const text = z.string().min(1)

describe('.github/workflows', () => {
  const Job = z.looseObject({
    uses: text.optional(),
    needs: z.array(text).optional(),
    environment: text.optional(),
    'timeout-minutes': z.number().optional(),
    permissions: z.record(text, z.enum(['read', 'write'])).optional(),
    services: z.record(text, z.looseObject({ image: text })).optional(),
    steps: z.array(z.looseObject({ uses: text.optional(), with: z.record(text, z.unknown()).optional() })).default([]),
  })
  const Workflow = z.looseObject({ permissions: z.unknown(), jobs: z.record(text, Job) })
  const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT }).map((path) => ({
    path,
    ...Workflow.parse(readYaml(path)),
  }))
  const jobs = workflows.flatMap(({ path, jobs }) =>
    Object.entries(jobs).map(([name, job]) => ({ ...job, name: `${basename(path)} ${name}` })),
  )
  const steps = jobs.flatMap(({ name, steps }) => steps.map((step) => ({ ...step, name })))

  it('has read-only access to the repository contents by default', () => {
    expect(workflows.length).toBeGreaterThan(2)
    for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' })
  })

  it("uses only GitHub's and OpenSSF's actions, by commit, with the version beside it", () => {
    const used = workflows.flatMap(({ path }) => read(path).match(/(?<=^ *- uses: ).+$/gm) ?? [])
    expect(used).toHaveLength(steps.filter(({ uses }) => uses).length)
    expect(used.length).toBeGreaterThan(10)
    const isPinned = /^(?:actions|github|ossf)\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    expect(used.filter((uses) => !isPinned.test(uses))).toEqual([])
    // One version of each action everywhere: a bump is one line to compare.
    const versions = Map.groupBy(new Set(used), (uses) => uses.split('@', 1)[0])
    expect([...versions.values()].filter((each) => each.length > 1)).toEqual([])
    const ofOthers = steps.filter(({ uses = '' }) => uses.startsWith('ossf/'))
    expect(ofOthers.map(({ name }) => name)).toEqual(['scorecard.yml analysis'])
  })

  it('leaves no token in a checkout, and every job has a timeout', () => {
    const checkouts = steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false))
    const unlimited = jobs.filter((job) => !job.uses && job['timeout-minutes'] === undefined)
    expect(unlimited.map(({ name }) => name)).toEqual([])
  })

  it('looks for known vulnerabilities every week, and for mistakes in every language of the repository', () => {
    for (const [file, what] of [
      ['audit.yml', 'npm audit --omit=dev --audit-level=high'],
      ['codeql.yml', 'language: [javascript-typescript, python, actions]'],
      ['scorecard.yml', 'publish_results: true'],
    ]) {
      const workflow = read(`.github/workflows/${file}`)
      expect(workflow).toContain(what)
      expect(workflow).toMatch(/schedule:\n +- cron: \d+ \d+ \* \* 1\n/)
    }
  })

  it('releases nothing with a known vulnerability, or without an SBOM', () => {
    expect(read('.github/workflows/ci.yml')).toContain('npm audit --omit=dev --audit-level=high')
    const release = workflows.find(({ path }) => path.endsWith('/release.yml'))
    expect(release?.jobs['ci']?.uses).toBe('./.github/workflows/ci.yml')
    expect(read('.github/workflows/release.yml')).toContain('Check that the SBOM lists every runtime dependency')
    // Jobs with write access wait for the tests, and run no code from the repository.
    const writers = Object.values(release?.jobs ?? {}).filter(({ permissions = {} }) =>
      Object.values(permissions).includes('write'),
    )
    expect(writers.length).toBeGreaterThan(0)
    for (const { needs, steps, environment } of writers) {
      // Somebody who is named in the repository's settings must agree.
      expect(environment).toBe('release')
      expect(needs).toEqual(expect.arrayContaining(['ci', 'package']))
      expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))).toEqual([])
    }
  })

  it('is validated: an error is reported with its line', async () => {
    const broken = `on: push
jobs:
  test:
    runs-on: ubuntu-24.04
    needs: nothing
    steps:
      - run: echo \${{ steps.absent.outputs.name }}
        shel: bash
`
    const problems = (await workflowProblems('.github/workflows/broken.yml', broken)).join('\n')
    expect(problems).toMatch(/broken\.yml:5: .*nothing/)
    expect(problems).toMatch(/broken\.yml:7: .*absent/)
    expect(problems).toMatch(/broken\.yml:8: .*shel/)
    expect(await workflowProblems('.github/workflows/ci.yml', read('.github/workflows/ci.yml'))).toEqual([])
  })

  it('uses the same PostgreSQL image as the development container', () => {
    const images = jobs.flatMap(({ services = {} }) =>
      Object.entries(services).map(([name, { image }]) => [name, image] as const),
    )
    const { services } = Compose.parse(readYaml('.devcontainer/compose.yml'))
    expect(images.length).toBeGreaterThan(0)
    for (const [name, image] of images) expect(services[name]?.image).toBe(image)
  })
})

it('.github/dependabot.yml updates everything that is pinned, weekly and grouped', () => {
  const schedule = z.looseObject({ interval: z.literal('weekly') })
  const Update = z.looseObject({ 'package-ecosystem': text, schedule, groups: z.record(text, z.unknown()) })
  const { updates } = z.looseObject({ updates: z.array(Update) }).parse(readYaml('.github/dependabot.yml'))
  const ecosystems = ['npm', 'github-actions', 'docker', 'docker-compose', 'pip']
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(ecosystems)
})

const Service = z.looseObject({
  image: text.optional(),
  build: z.looseObject({ dockerfile_inline: text }).optional(),
})
const Compose = z.looseObject({ services: z.record(text, Service) })

it('the development container runs the pinned Node.js version', () => {
  const { version } = z.looseObject({ version: text }).parse(readJson('tools/node-runtime/package.json'))
  const major = version.split('.')[0]
  expect(read('.nvmrc')).toBe(`${major}\n`)
  const { services } = Compose.parse(readYaml('.devcontainer/compose.yml'))
  const built = Object.values(services).flatMap(({ build }) => build?.dockerfile_inline ?? [])
  expect(built).toEqual([expect.stringMatching(new RegExp(`^FROM node:${major}-`))])
})
