// Five tiers, told apart by file name and run in this order; docs/contribute/tests.md says what each may use.
import { defineConfig } from 'vitest/config'

// Vitest would give this number of workers to the serial tiers as well.
const maxWorkers = process.env['VITEST_MAX_WORKERS'] ?? '100%'
delete process.env['VITEST_MAX_WORKERS']

const BESIDE_SOURCES = ['server/src/**', 'sandbox/src/**', 'client/src/**']

export default defineConfig({
  test: {
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
          testTimeout: 30_000,
          hookTimeout: 60_000,
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
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The whole product as people use it.
        extends: true,
        test: {
          name: 'journeys',
          include: ['server/test/journeys/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          isolate: true,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Whole systems under load and faults, with clocks that matter: one at a time, when nothing else runs.
        extends: true,
        test: {
          name: 'faults',
          include: ['server/test/faults/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          isolate: true,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // What is measured in millions of rows or in milliseconds.
        extends: true,
        test: {
          name: 'slow',
          include: ['server/test/slow/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          isolate: true,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
