// Four tiers for every change and one for the night, told apart by file name; docs/contribute/tests.md says what each may
// use.
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Vitest would give this number of workers to the serial tiers as well.
const maxWorkers = process.env['VITEST_MAX_WORKERS'] ?? '100%'
delete process.env['VITEST_MAX_WORKERS']

const BESIDE_SOURCES = ['engines', 'answers', 'reader', 'server', 'sandbox', 'clients/typescript'].map(
  (workspace) => `${workspace}/src/**`,
)

/** Minutes long: one that begins last would keep a single worker busy while the other waits. */
const LONGEST = ['search', 'installed-release', 'usage-exact', 'settings', 'accessible', 'first-run', 'budget-cap']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at === -1 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    maxWorkers,
    globalSetup: 'server/test/support/temporary-folder.ts',
    // Loading the sources anew for each of 300 files would take longer than the tests.
    isolate: false,
    // Of what runs in the tests' own processes; servers that a journey starts are not seen.
    coverage: {
      include: BESIDE_SOURCES.map((folder) => `${folder}/*.ts`),
      exclude: ['**/*.test.ts', '**/*.test-*.ts'],
      reporter: ['text-summary'],
      reportOnFailure: true,
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [...BESIDE_SOURCES.map((folder) => `${folder}/*.test.ts`), 'server/test/*.test.ts'],
          exclude: ['**/*.service.test.ts', '**/*.database.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'spec',
          include: [
            ...BESIDE_SOURCES.map((folder) => `${folder}/*.{service,database}.test.ts`),
            'server/test/spec/*.test.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The whole product as people use it. Browsers, servers and npm wait for one another, so three files share two cores.
        extends: true,
        test: {
          name: 'journeys',
          include: ['server/test/journeys/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Whole systems whose parts are killed, frozen and restarted. They mostly wait, so three files take turns with
        // the machine.
        extends: true,
        test: {
          name: 'faults',
          include: ['server/test/faults/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 3,
          isolate: true,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // What takes long, is measured, or needs other people's programs: one file at a time, when nothing else runs.
        extends: true,
        test: {
          name: 'nightly',
          include: ['server/test/nightly/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          isolate: true,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
