import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [
            'server/src/**/*.test.ts',
            'server/test/*.test.ts',
            'server/test/spec/*.test.ts',
            'sandbox/src/**/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Whole systems under load and faults, with clocks that matter: one at a time, when nothing else runs.
        extends: true,
        test: {
          name: 'journeys',
          include: ['server/test/journeys/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
