// The files in deploy/kubernetes: every object is valid, every setting exists, and the parts fit together.
// `nightly/kubernetes-pages.test.ts` has kubectl put them together.
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts'
import type { CronJob, Job } from 'kubernetes-types/batch/v1.d.ts'
import type { PodTemplateSpec, Service } from 'kubernetes-types/core/v1.d.ts'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type KubernetesObject, mistakesInManifests, readManifests } from './support/kubernetes-manifest.ts'
import { mistakesInSettings } from './support/mistakes-in-settings.ts'

const KUBERNETES = resolve(import.meta.dirname, '../../deploy/kubernetes')
const read = (path: string): string => readFileSync(join(KUBERNETES, path), 'utf8')
const SERVER = { 'app.kubernetes.io/name': 'bowerbird', 'app.kubernetes.io/component': 'server' }
/** PostgreSQL's default, and what is left of it for commands, backups and monitoring. */
const MAX_CONNECTIONS = 100
const SPARE_CONNECTIONS = 20

/** Every object that a folder lists, with those of the folders it builds on. */
function manifestsOf(folder: string): KubernetesObject[] {
  const { resources }: { resources: string[] } = parse(read(join(folder, 'kustomization.yaml')))
  const listed = resources.filter((path) => path.endsWith('.yaml'))
  const present = globSync('*.yaml', { cwd: join(KUBERNETES, folder) }).filter((name) => name !== 'kustomization.yaml')
  expect(listed.toSorted()).toEqual(present.toSorted())
  return resources.flatMap((path) =>
    path.endsWith('.yaml') ? readManifests(read(join(folder, path))) : manifestsOf(join(folder, path)),
  )
}

interface Kinds {
  CronJob: CronJob
  Deployment: Deployment
  HorizontalPodAutoscaler: HorizontalPodAutoscaler
  Job: Job
  NetworkPolicy: NetworkPolicy
  PodDisruptionBudget: PodDisruptionBudget
  Service: Service
}

// Its kind says which type it has, and the compiler has checked that.
const ofKind = <Kind extends keyof Kinds>(manifests: KubernetesObject[], kind: Kind): Kinds[Kind][] =>
  manifests.filter((manifest) => manifest.kind === kind) as Kinds[Kind][]

const podsOf = (manifests: KubernetesObject[]): (PodTemplateSpec | undefined)[] => [
  ...ofKind(manifests, 'Deployment').map(({ spec }) => spec?.template),
  ...ofKind(manifests, 'Job').map(({ spec }) => spec?.template),
  ...ofKind(manifests, 'CronJob').map(({ spec }) => spec?.jobTemplate.spec?.template),
]

it('every object is one that Kubernetes knows, and a mistyped member of another is found', async () => {
  const mistyped = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { selektor: {} } }
  const mistakes = await mistakesInManifests([...['small', 'example'].flatMap(manifestsOf), mistyped])
  expect(mistakes.split('\n').filter((line) => line.includes('error'))).toEqual([expect.stringContaining('selektor')])
})

describe.each(['small', 'large'])('deploy/kubernetes/%s', (size) => {
  const manifests = manifestsOf(size)
  const deployments = ofKind(manifests, 'Deployment')
  const [deployment] = deployments
  const pod = deployment?.spec?.template

  it('has one deployment, whose pods alone are served, counted and scaled', () => {
    expect(deployments).toHaveLength(1)
    expect(deployment?.spec?.selector.matchLabels).toEqual(SERVER)
    expect(pod?.metadata?.labels).toEqual(SERVER)
    for (const { spec } of ofKind(manifests, 'Service')) expect(spec?.selector).toEqual(SERVER)
    for (const { spec } of ofKind(manifests, 'PodDisruptionBudget')) expect(spec?.selector?.matchLabels).toEqual(SERVER)
    for (const { spec } of ofKind(manifests, 'HorizontalPodAutoscaler'))
      expect(spec?.scaleTargetRef.name).toBe(deployment?.metadata?.name)
    const components = podsOf(manifests).map((template) => template?.metadata?.labels?.['app.kubernetes.io/component'])
    expect(components.filter((component) => component === 'server')).toHaveLength(1)
  })

  it('locks down every pod, and covers it with the network policy', () => {
    const policies = ofKind(manifests, 'NetworkPolicy')
    expect(policies).toHaveLength(1)
    for (const template of podsOf(manifests)) {
      expect(template?.metadata?.labels).toMatchObject(policies[0]?.spec?.podSelector.matchLabels ?? { none: '' })
      expect(template?.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const container of template?.spec?.containers ?? [])
        expect(container).toMatchObject({
          image: 'localhost/bowerbird',
          resources: { requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        })
    }
  })

  it('uses only settings that exist, and allows time to drain', () => {
    const [container] = pod?.spec?.containers ?? []
    const settings = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value ?? '']))
    expect(mistakesInSettings(settings)).toEqual([])
    expect(pod?.spec?.terminationGracePeriodSeconds ?? 30).toBeGreaterThan(Number(settings['DRAIN_SECONDS']) + 10)
  })

  it('mounts only volumes that exist, and never two pods on one that belongs to a process', () => {
    const claims = manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
    const used = podsOf(manifests).flatMap((template) => template?.spec?.volumes ?? [])
    expect(new Set(used.map((volume) => volume.persistentVolumeClaim?.claimName))).toEqual(new Set(claims))
    if (size === 'small') expect(deployment?.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    else expect(pod?.spec?.volumes).toBeUndefined()
    // Starts only when the operator has stopped the instance.
    const byHand = ofKind(manifests, 'CronJob').find(({ metadata }) => metadata?.name === 'bowerbird-maintenance')
    expect(byHand?.spec?.suspend).toBe(true)
  })
})

describe('deploy/kubernetes/example', () => {
  const lines = read('example/bowerbird.env').split('\n')
  const settings = Object.fromEntries(
    lines.filter((line) => /^\w+=/.test(line)).map((line) => [line.split('=', 1)[0] ?? '', line.replace(/^\w+=/, '')]),
  )

  it('uses only settings that exist, and does not start before its secrets are filled in', () => {
    const open = Object.keys(settings).filter((name) => settings[name] === '…')
    expect(open).toContain('INSTANCE_SECRET')
    const mistaken = mistakesInSettings(settings).map((mistake) => mistake.replace(/ .*/, ''))
    expect(mistaken.toSorted()).toEqual(open.toSorted())
  })

  it('can be applied without its nodes, so that the schema is migrated first', () => {
    const nodes = manifestsOf('example').filter(
      ({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'server',
    )
    expect(nodes.map(({ kind }) => kind)).toEqual(['Deployment'])
  })

  it('leaves PostgreSQL connections to spare with as many pods as there can be', () => {
    const manifests = manifestsOf('example')
    const [autoscaler] = ofKind(manifests, 'HorizontalPodAutoscaler')
    const [deployment] = ofKind(manifests, 'Deployment')
    const mostPods = (autoscaler?.spec?.maxReplicas ?? 0) + Number(deployment?.spec?.strategy?.rollingUpdate?.maxSurge)
    expect(mostPods).toBeGreaterThan(1)
    expect(mostPods * Number(settings['DATABASE_POOL_SIZE'])).toBeLessThanOrEqual(MAX_CONNECTIONS - SPARE_CONNECTIONS)
  })
})
