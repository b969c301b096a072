// `report.cjs <folder> <tier>...`: tells which files took longest and what failed, by Vitest's JSON reports and by the list
// of failed steps in that folder, then prints one line of counts. Exits with 1 if anything failed.
const { existsSync, readFileSync } = require('node:fs')

const [folder, ...tiers] = process.argv.slice(2)
const counts = { passed: 0, failed: 0, skipped: 0 }
const files = []

function fail(what, why = '') {
  counts.failed += 1
  process.stdout.write(`failed: ${what}\n${why && `${why.slice(0, 2_000)}\n`}`)
}

function readTier(tier) {
  const path = `${folder}/${tier}.json`
  if (!existsSync(path)) return
  for (const file of JSON.parse(readFileSync(path, 'utf8')).testResults) {
    const { name, status, message, assertionResults, startTime, endTime } = file
    files.push({ name: name.replace(`${process.cwd()}/`, ''), seconds: Math.round((endTime - startTime) / 1_000) })
    const failed = assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of failed) fail(`${name} > ${fullName}`, failureMessages[0])
    // A file that does not load, or a hook that throws.
    if (status === 'failed' && failed.length === 0) fail(name, message)
    counts.passed += assertionResults.filter((test) => test.status === 'passed').length
    counts.skipped += assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed').length
  }
}

const list = `${folder}/failed`
const steps = existsSync(list) ? readFileSync(list, 'utf8').trimEnd().split('\n') : []
for (const tier of tiers) {
  const before = counts.failed
  readTier(tier)
  // Vitest itself failed: it broke off, or something was thrown outside of every test.
  if (counts.failed === before && steps.includes(`Tests: ${tier}`)) fail(`Tests: ${tier}`)
}
for (const step of steps.filter((step) => !tiers.some((tier) => step === `Tests: ${tier}`))) fail(step)

const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, 12)
for (const { name, seconds } of slowest) process.stdout.write(`${String(seconds).padStart(6)} s  ${name}\n`)
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
process.exitCode = counts.failed > 0 ? 1 : 0
