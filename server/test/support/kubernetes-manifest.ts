// The Kubernetes objects in deploy/kubernetes, each narrowed to what we use, so that a mistyped member is found.
import { z } from 'zod'

const text = z.string().min(1)
const Named = z.strictObject({ name: text, labels: z.record(text, text).optional() })
const Selector = z.strictObject({ matchLabels: z.record(text, text) })
const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/readyz', '/livez']), port: z.literal('admin') }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int(),
})
const ContainerSpec = z.strictObject({
  name: text,
  image: text,
  ports: z.array(z.strictObject({ name: text, containerPort: z.int() })),
  env: z.array(z.strictObject({ name: text, value: text })),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name: text, optional: z.boolean().optional() }) })),
  resources: z.strictObject({ requests: z.record(text, text), limits: z.record(text, text) }),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: text, mountPath: text })).optional(),
})
const PodSpec = z.strictObject({
  terminationGracePeriodSeconds: z.int().optional(),
  topologySpreadConstraints: z.array(z.looseObject({ labelSelector: Selector })).optional(),
  serviceAccountName: z.literal('bowerbird'),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.literal(10_001),
    runAsGroup: z.literal(10_001),
    fsGroup: z.literal(10_001),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.tuple([ContainerSpec]),
  volumes: z
    .array(z.strictObject({ name: text, persistentVolumeClaim: z.strictObject({ claimName: text }) }))
    .optional(),
})
const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: Named,
  spec: z.strictObject({
    replicas: z.literal(1).optional(),
    strategy: z.strictObject({
      type: z.enum(['Recreate', 'RollingUpdate']),
      rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }).optional(),
    }),
    selector: Selector,
    template: z.strictObject({
      metadata: z.strictObject({ labels: z.record(text, text), annotations: z.record(text, text).optional() }),
      spec: PodSpec,
    }),
  }),
})
const PORT = z.strictObject({ port: z.union([text, z.int()]), protocol: z.enum(['TCP', 'UDP']) })
const Peer = z.strictObject({
  namespaceSelector: Selector.optional(),
  podSelector: z.strictObject({}).optional(),
  ipBlock: z.strictObject({ cidr: text, except: z.array(text) }).optional(),
})
/** The kinds we use, each with its version, narrowed to the members we use. */
export const Manifest = z.discriminatedUnion('kind', [
  Deployment,
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata: Named,
    spec: z.strictObject({
      selector: z.record(text, text),
      ports: z.array(z.strictObject({ name: text, port: z.int(), targetPort: text })),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('ServiceAccount'),
    metadata: Named,
    automountServiceAccountToken: z.literal(false),
  }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('PersistentVolumeClaim'),
    metadata: Named,
    spec: z.strictObject({
      accessModes: z.array(z.enum(['ReadWriteOncePod', 'ReadWriteOnce'])),
      resources: z.strictObject({ requests: z.strictObject({ storage: text }) }),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('networking.k8s.io/v1'),
    kind: z.literal('NetworkPolicy'),
    metadata: Named,
    spec: z.strictObject({
      podSelector: Selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z.array(z.strictObject({ from: z.array(Peer), ports: z.array(PORT) })),
      egress: z.array(z.strictObject({ to: z.array(Peer), ports: z.array(PORT) })),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.literal('PodDisruptionBudget'),
    metadata: Named,
    spec: z.strictObject({ maxUnavailable: z.int().positive(), selector: Selector }),
  }),
  z.strictObject({
    apiVersion: z.literal('autoscaling/v2'),
    kind: z.literal('HorizontalPodAutoscaler'),
    metadata: Named,
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: z.literal('apps/v1'), kind: z.literal('Deployment'), name: text }),
      minReplicas: z.int().min(2),
      maxReplicas: z.int(),
      metrics: z.array(z.looseObject({ type: z.literal('Resource') })),
      behavior: z.strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: z.int() }) }),
    }),
  }),
])
export const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  resources: z.array(text).nonempty(),
  labels: z.array(z.strictObject({ includeSelectors: z.boolean(), pairs: z.record(text, text) })).optional(),
})
