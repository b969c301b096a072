// What Vitest's JSON reports say. `failed <report>` prints the files with failures; `summary <folder> <tier>...` what
// failed at the first attempt and at the second, and one line of counts.
const { existsSync, readFileSync } = require('node:fs')

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).testResults : [])
const print = (line) => process.stdout.write(`${line}\n`)
const isFailed = ({ status }) => status === 'failed'

function tellFailures(word, files) {
  for (const { name, message, assertionResults } of files.filter(isFailed)) {
    if (message) print(`${word}: ${name}\n${message.slice(0, 2_000)}`)
    for (const { fullName, failureMessages } of assertionResults.filter(isFailed)) {
      print(`${word}: ${name} > ${fullName}\n${failureMessages[0]?.slice(0, 2_000)}`)
    }
  }
}

function summarise(folder, tiers) {
  const counts = { passed: 0, failed: 0, pending: 0 }
  for (const tier of tiers) {
    const again = read(`${folder}/${tier}.again.json`)
    const first = read(`${folder}/${tier}.json`)
    const isRepeated = ({ name }) => again.some((file) => file.name === name)
    tellFailures('failed at the first attempt', first.filter(isRepeated))
    const last = [...first.filter((file) => !isRepeated(file)), ...again]
    tellFailures('failed', last)
    for (const { status } of last.flatMap((file) => file.assertionResults))
      counts[status === 'passed' || status === 'failed' ? status : 'pending']++
  }
  print(`${counts.passed} passed, ${counts.failed} failed, ${counts.pending} skipped`)
}

const [task, ...rest] = process.argv.slice(2)
if (task === 'failed') for (const { name } of read(rest[0]).filter(isFailed)) print(name)
if (task === 'summary') summarise(rest[0], rest.slice(1))
