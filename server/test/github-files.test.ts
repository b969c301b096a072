// What GitHub and editors read from the repository and nothing else here runs: a mistake in one of these files shows
// only after a push, or never. The schemas are GitHub's, narrowed to what we use; `npm run check` validates the
// workflows.
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

  it('may only read the contents of the repository, unless a job says otherwise', () => {
    expect(workflows.map(({ path }) => basename(path)).sort()).toEqual(['ci.yml', 'codeql.yml', 'release.yml'])
    for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' })
    const writers = jobs.flatMap(({ name, permissions = {} }) =>
      Object.entries(permissions).flatMap(([scope, access]) => (access === 'write' ? `${name}: ${scope}` : [])),
    )
    expect(writers.sort()).toEqual([
      'codeql.yml analyze: security-events',
      'release.yml publish-image: attestations',
      'release.yml publish-image: id-token',
      'release.yml publish-image: packages',
      'release.yml publish: attestations',
      'release.yml publish: contents',
      'release.yml publish: id-token',
    ])
  })

  it("uses GitHub's own actions only, by version", () => {
    const used = steps.flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((uses) => !/^(?:actions|github)\/[\w/-]+@(?:v\d+|[0-9a-f]{40})$/.test(uses))).toEqual([])
  })

  it('leaves no token in a checkout, and lets no job run for hours', () => {
    const checkouts = steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false))
    const unlimited = jobs.filter((job) => !job.uses && job['timeout-minutes'] === undefined)
    expect(unlimited.map(({ name }) => name)).toEqual([])
  })

  it('releases nothing with a known flaw or without a list of what runs', () => {
    const runs = (path: string) => read(path).match(/^ +(?:- )?(?:run: )?npm [^\n]+/gm) ?? []
    expect(runs('.github/workflows/ci.yml').join()).toContain('npm audit --omit=dev --audit-level=high')
    const release = read('.github/workflows/release.yml')
    expect(release).toContain('uses: ./.github/workflows/ci.yml')
    // What may write waits for both, and has no code of the repository to run.
    expect(release).toContain('needs: [ci, package, image]')
    expect(release).toContain('needs: [ci, package, publish-image]')
    expect(release.slice(release.indexOf('  publish-image:'))).not.toContain('actions/checkout')
    expect(release).toContain('npm sbom --sbom-format cyclonedx')
    expect(release).toContain('Check that the SBOM lists every runtime dependency')
  })

  it('is checked: a mistake is found with its line', async () => {
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

  it('has the same PostgreSQL and Redis as the development container', () => {
    const images = jobs.flatMap(({ services = {} }) =>
      Object.entries(services).map(([name, { image }]) => [name, image] as const),
    )
    const { services } = Compose.parse(readYaml('.devcontainer/compose.yml'))
    expect(images.length).toBeGreaterThan(0)
    for (const [name, image] of images) expect(services[name]?.image).toBe(image)
  })
})

it('.github/dependabot.yml: npm and the actions, weekly and grouped', () => {
  const updateTypes = z.array(z.enum(['major', 'minor', 'patch'])).nonempty()
  const Dependabot = z.strictObject({
    version: z.literal(2),
    updates: z.array(
      z.strictObject({
        'package-ecosystem': z.enum(['npm', 'github-actions']),
        directory: z.literal('/'),
        schedule: z.strictObject({ interval: z.literal('weekly'), day: z.literal('monday') }),
        cooldown: z.strictObject({ 'default-days': z.int().positive() }),
        'commit-message': z.strictObject({ prefix: text.max(50), include: z.literal('scope') }),
        groups: z.record(
          text,
          z.strictObject({
            patterns: z.array(text).optional(),
            'dependency-type': z.enum(['production', 'development']).optional(),
            'update-types': updateTypes.optional(),
          }),
        ),
        ignore: z
          .array(
            z.strictObject({
              'dependency-name': text,
              'update-types': z.array(z.enum(['version-update:semver-major'])).nonempty(),
            }),
          )
          .optional(),
      }),
    ),
  })
  const { updates } = Dependabot.parse(readYaml('.github/dependabot.yml'))
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions'])
})

describe('.github/ISSUE_TEMPLATE', () => {
  const id = z.string().regex(/^[\w-]+$/)
  const validations = z.strictObject({ required: z.boolean() }).optional()
  const field = { label: text, description: text.optional() }
  const Element = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
    z.strictObject({
      type: z.literal('input'),
      id,
      attributes: z.strictObject({ ...field, placeholder: text.optional() }),
      validations,
    }),
    z.strictObject({
      type: z.literal('textarea'),
      id,
      attributes: z.strictObject({ ...field, placeholder: text.optional(), render: text.optional() }),
      validations,
    }),
    z.strictObject({
      type: z.literal('dropdown'),
      id,
      attributes: z.strictObject({ ...field, multiple: z.boolean().optional(), options: z.array(text).nonempty() }),
      validations,
    }),
    z.strictObject({
      type: z.literal('checkboxes'),
      id,
      attributes: z.strictObject({ ...field, options: z.array(z.strictObject({ label: text })).nonempty() }),
    }),
  ])
  const Form = z.strictObject({
    name: text,
    description: text.max(200),
    title: text.optional(),
    labels: z.array(text).nonempty(),
    body: z.array(Element).nonempty(),
  })
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT }).filter((path) => !path.endsWith('config.yml'))
  const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length

  it('has three forms', () => {
    expect(forms.map((path) => basename(path, '.yml')).sort()).toEqual(['bug', 'engine-request', 'wrong-answer'])
  })

  it.each(forms)('%s is a form that GitHub accepts', (path) => {
    const { body } = Form.parse(readYaml(path))
    const fields = body.filter((element) => element.type !== 'markdown')
    expect(fields.length).toBeGreaterThan(0)
    expect(isUnique(fields.map((element) => element.id))).toBe(true)
    expect(isUnique(fields.map((element) => element.attributes.label))).toBe(true)
    for (const element of fields) {
      if (element.type === 'dropdown') expect(isUnique(element.attributes.options)).toBe(true)
    }
  })

  it('sends security reports to private reporting, and allows no issue without a form', () => {
    const Config = z.strictObject({
      blank_issues_enabled: z.literal(false),
      contact_links: z
        .array(z.strictObject({ name: text, url: z.url({ protocol: /^https$/ }), about: text }))
        .nonempty(),
    })
    const { contact_links: links } = Config.parse(readYaml('.github/ISSUE_TEMPLATE/config.yml'))
    expect(links.map(({ url }) => url).join()).toContain('privately-reporting-a-security-vulnerability')
  })
})

const Compose = z.strictObject({
  services: z.record(
    text,
    z.strictObject({
      image: text.optional(),
      build: z.strictObject({ context: text, dockerfile_inline: text }).optional(),
      init: z.boolean().optional(),
      command: text.optional(),
      volumes: z.array(text).optional(),
      environment: z.record(text, text).optional(),
      configs: z.array(z.strictObject({ source: text, target: text })).optional(),
      depends_on: z.record(text, z.strictObject({ condition: z.literal('service_healthy') })).optional(),
      healthcheck: z.strictObject({ test: z.array(text), interval: text, retries: z.int() }).optional(),
    }),
  ),
  configs: z.record(text, z.strictObject({ content: text })),
  volumes: z.record(text, z.null()),
})

describe('the editor and the development container', () => {
  const { services, configs, volumes } = Compose.parse(readYaml('.devcontainer/compose.yml'))
  const container = z
    .looseObject({
      service: text,
      workspaceFolder: text,
      customizations: z.object({ vscode: z.object({ extensions: z.array(text) }) }),
    })
    .parse(readJson('.devcontainer/devcontainer.json'))

  it('refer to services, volumes and files that exist', () => {
    const workspace = services[container.service]
    expect(workspace?.volumes).toContain(`..:${container.workspaceFolder}`)
    for (const service of Object.values(services)) {
      for (const [name] of Object.entries(service.depends_on ?? {})) expect(services[name]?.healthcheck).toBeDefined()
      for (const { source } of service.configs ?? []) expect(configs).toHaveProperty(source)
      const named = (service.volumes ?? []).filter((volume) => !volume.startsWith('.'))
      for (const volume of named) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '')
    }
    for (const url of ['DATABASE_URL', 'REDIS_URL', 'TEST_POSTGRES_URL']) {
      expect(services).toHaveProperty(new URL(workspace?.environment?.[url] ?? '').hostname)
    }
  })

  it('run on the Node.js that is pinned', () => {
    const { version } = z.looseObject({ version: text }).parse(readJson('tools/node-runtime/package.json'))
    const major = version.split('.')[0]
    expect(read('.nvmrc')).toBe(`${major}\n`)
    expect(services[container.service]?.build?.dockerfile_inline).toMatch(new RegExp(`^FROM node:${major}-`))
  })

  it('recommend the same extensions, and launch scripts that exist', () => {
    const { recommendations } = z
      .strictObject({ recommendations: z.array(text) })
      .parse(readJson('.vscode/extensions.json'))
    expect(container.customizations.vscode.extensions).toEqual(recommendations)
    const { configurations } = z
      .looseObject({ configurations: z.array(z.looseObject({ name: text, runtimeArgs: z.array(text) })) })
      .parse(readJson('.vscode/launch.json'))
    const { scripts } = z.looseObject({ scripts: z.record(text, text) }).parse(readJson('package.json'))
    expect(configurations.map(({ name }) => name)).toEqual(['Serve', 'Demo', 'Current test file'])
    const launched = configurations.map(({ runtimeArgs: [first = '', second = ''] }) =>
      first === 'run' ? second : first,
    )
    expect(launched.filter((name) => name !== 'exec' && !(name in scripts))).toEqual([])
  })
})
